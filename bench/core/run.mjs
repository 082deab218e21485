import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

// The benchmark is bundled with the sources it measures, so that no build is needed.
const directory = join(import.meta.dirname, '..', 'dist');
mkdirSync(directory, { recursive: true });
const outfile = join(directory, 'core-round-trip.mjs');
const core = createRequire(join(import.meta.dirname, '..', '..', 'packages', 'core', 'package.json'));
await build({
  entryPoints: [join(import.meta.dirname, 'round-trip.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  conditions: ['@svc/source'],
  nodePaths: [join(import.meta.dirname, '..', '..', 'packages', 'core', 'node_modules')],
  define: {
    'import.meta.url': JSON.stringify(
      new URL(`file://${core.resolve('./package.json').replace('package.json', 'src/x.js')}`).href,
    ),
  },
  logLevel: 'warning',
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(process.cwd() + '/');",
  },
});
process.exitCode = spawnSync(process.execPath, [outfile], { stdio: 'inherit' }).status ?? 1;
