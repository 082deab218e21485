import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const packageFolder = join(import.meta.dirname, '../..');

/** Makes one JavaScript file of a program under `test/support/programs`, so that plain Node can run it. */
export async function bundleProgram(name: string): Promise<{ file: string; remove: () => Promise<void> }> {
  // Inside the package, so that what is not bundled is found.
  const folder = await mkdtemp(join(packageFolder, 'node_modules/.program-'));
  const file = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', `${name}.ts`)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@svc/source'],
    plugins: [
      {
        name: 'only-our-own',
        setup(builder) {
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@svc/') ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  return { file, remove: () => rm(folder, { recursive: true }) };
}
