import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('@svc/core takes schemas of the one zod that the project has', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../packages/core/package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ peerDependencies: { zod: expect.any(String) } });
  expect(manifest).not.toHaveProperty('dependencies.zod');
});
