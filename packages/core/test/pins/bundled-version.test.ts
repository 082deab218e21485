import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

it('VERSION is that of the package, even if bundled into an application with its own version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-version-'));
  const outfile = join(folder, 'out', 'app.mjs');
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'package.json'), '{"version": "9.9.9"}');
  try {
    const version = fileURLToPath(new URL('../../src/version.ts', import.meta.url));
    await build({ entryPoints: [version], outfile, bundle: true, platform: 'node', format: 'esm' });
    const app: unknown = await import(pathToFileURL(outfile).href);
    expect(app).toMatchObject({ VERSION: manifest.version });
  } finally {
    await rm(folder, { recursive: true });
  }
});
