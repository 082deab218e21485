import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { sourceCondition } from './vitest.ts';

/** External modules are loaded from where their importer finds them, wherever the bundle is. */
const onlyOurOwn: Plugin = {
  name: 'svc:only-our-own',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || path.startsWith('@svc/') || pluginData === onlyOurOwn) return undefined;
      const found = await builder.resolve(path, { kind, importer, resolveDir, pluginData: onlyOurOwn });
      if (found.external || found.errors.length > 0) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/** Bundles a TypeScript program into one JavaScript file, so that a test can run it in a separate process. */
export async function bundleProgram(source: URL): Promise<{ file: string; remove: () => Promise<void> }> {
  const path = fileURLToPath(source);
  const { outputFiles } = await build({
    entryPoints: [path],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: [sourceCondition],
    plugins: [onlyOurOwn],
  });
  const folder = await mkdtemp(join(tmpdir(), 'svc-program-'));
  const file = join(folder, `${basename(path, '.ts')}.mjs`);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  return { file, remove: () => rm(folder, { recursive: true }) };
}
