// node bench/delivery/peers.mjs w1 [options of peers/run.mjs]: the mounted route beside the peers, over real sockets
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, '..', 'dist');
mkdirSync(dist, { recursive: true });
const adapters = ['svc-contract', 'svc-delivery'];
await build({
  entryPoints: adapters.map((name) => ({ in: join(import.meta.dirname, `${name}.ts`), out: name })),
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  conditions: ['@svc/source'],
  external: ['fastify', 'vitest'],
  logLevel: 'warning',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});

const [workload = 'w1', ...options] = process.argv.slice(2);
const hasAdapters = options.some((option) => option.startsWith('--adapters='));
const peers = hasAdapters
  ? []
  : [
      '--adapters=raw,svc-contract,svc-delivery,better-sse,better-sse-tuned,fastify-sse,fastify-sse-tuned,fastify-sse-v2',
    ];
const words = [workload, ...peers, ...options].map((word) =>
  word.replace(/svc-(contract|delivery)/g, (name) => join(dist, `${name}.mjs`)),
);
const script = workload === 'verify' ? ['verify.mjs', ...words.slice(1)] : ['run.mjs', ...words];
const { status } = spawnSync(process.execPath, script, {
  cwd: join(import.meta.dirname, '..', 'peers'),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
