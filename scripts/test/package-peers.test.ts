import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('@svc/core has zod as a peer dependency only, so that a project has one zod', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../packages/core/package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ peerDependencies: { zod: expect.any(String) } });
  expect(manifest).not.toHaveProperty('dependencies.zod');
});
