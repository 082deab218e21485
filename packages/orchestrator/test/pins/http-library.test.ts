import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('imports the HTTP library by its file: Bun replaces the bare name, and would not ask for public addresses', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const ofUndici = imports.map(({ path }) => path).filter((path) => path.startsWith('undici'));
  expect([...new Set(ofUndici)]).toEqual(['undici/index.js']);
});
