import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles a benchmark with the sources it measures, so that no build is needed. Returns the file's path. */
export async function bundle(name) {
  const directory = join(import.meta.dirname, '..', 'dist');
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2023',
    conditions: ['@svc/source'],
    external: ['vitest'],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
