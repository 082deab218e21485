import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Inside the package, so that external modules are found. */
const directory = join(import.meta.dirname, '../../packages/orchestrator/node_modules/.bench');

const onlyOurOwn = {
  name: 'only-our-own',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@svc/') ? undefined : { path, external: true },
    );
  },
};

/** Bundles a program with our sources, so that no build is needed. Returns the file's path. */
export async function bundle(name) {
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
    plugins: [onlyOurOwn],
    logLevel: 'warning',
  });
  return outfile;
}
