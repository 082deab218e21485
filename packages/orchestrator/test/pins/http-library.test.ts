import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packageImports } from '../../../../tooling/package-imports.ts';

it('imports the HTTP library by its file: Bun replaces the bare name, and would not ask for public addresses', async () => {
  const { atOnce } = await packageImports(fileURLToPath(new URL('../../src/index.ts', import.meta.url)));
  expect(atOnce.filter((path) => path.startsWith('undici'))).toEqual(['undici/index.js']);
});
