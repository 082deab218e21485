// node bench/redis/run.mjs: append and follow on Redis against bare XADD and XREAD. Needs a redis-server.
import { join } from 'node:path';
import { build } from 'esbuild';

const outfile = join(import.meta.dirname, '..', 'dist', 'append-follow.mjs');
await build({
  entryPoints: [join(import.meta.dirname, 'append-follow.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  conditions: ['@svc/source'],
  external: ['ioredis'],
  logLevel: 'warning',
});
await import(outfile);
