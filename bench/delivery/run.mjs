// node bench/delivery/run.mjs [w1 w2 ...] [options of peers/run.mjs]: the mounted route against the peers, over sockets
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { tableOf } from './table.mjs';

const peers = join(import.meta.dirname, '..', 'peers');
const dist = join(import.meta.dirname, '..', 'dist');
const all = ['raw-contract', 'svc-frames', 'svc-delivery', 'svc-contract'];
const others = ['better-sse-tuned', 'fastify-sse-tuned', 'fastify-sse-v2'];

/**
 * The harness's workloads, with their options and the metrics to report. A producer of the harness waits for sockets
 * with too much queued. Ours never queue that much: they leave events in the log, so its `history` must be large enough.
 */
const workloads = {
  // Many events, because a new process spends much of its time compiling code.
  w1: {
    ours: all,
    options: ['--S=1,100,1000', '--rounds=3', '--scale=2'],
    history: 20_000,
    metrics: { us: 'CPU us per delivered event' },
  },
  w2: {
    ours: all,
    options: ['--rounds=3', '--scale=0.2'],
    metrics: { us: 'CPU us per delivered event' },
  },
  // For the same reason the first rounds are excluded.
  w3: {
    ours: ['raw-contract', 'svc-delivery', 'svc-contract'],
    options: ['--rounds=36'],
    warmUp: 2 / 3,
    metrics: { us: 'us from the request to the last event', cpuUs: 'CPU us per replay' },
  },
  w4: {
    ours: ['svc-contract'],
    options: ['--rounds=3', '--secs=3'],
    metrics: {
      rssPer: 'resident bytes per connection',
      openUs: 'CPU us to open one',
      beatUs: 'CPU us per heartbeat',
    },
  },
  w5: { options: ['--rounds=3'], metrics: { p50: 'us from emit to receive, median' } },
  w8: { options: ['--rounds=3', '--size=large'], history: 5_000, metrics: { rssMB: 'MB held' } },
};

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const chosen = words.filter((word) => !word.startsWith('--'));
const unknown = chosen.find((name) => !Object.hasOwn(workloads, name));
if (unknown)
  throw new Error(`The workload must be one of ${Object.keys(workloads).join(', ')}, got '${unknown}'`);
if (!existsSync(join(peers, 'node_modules')))
  throw new Error('Run `npm ci --ignore-scripts` in bench/peers first');
const { soft } = process.report.getReport().userLimits.open_files;
if (soft !== 'unlimited' && soft < 6_000) throw new Error(`\`ulimit -n\` must be 6000 or more, got ${soft}`);

await build({
  entryPoints: all.map((name) => ({ in: join(import.meta.dirname, `${name}.ts`), out: name })),
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  conditions: ['@svc/source'],
  external: ['fastify'],
  logLevel: 'warning',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
mkdirSync(join(peers, 'results'), { recursive: true });

const tables = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(workloads)) {
  const { history, metrics, ours = ['svc-delivery', 'svc-contract'], warmUp = 0 } = workloads[name];
  const out = join(peers, 'results', `delivery-${name}.json`);
  const adapters = ['raw', ...ours.map((adapter) => join(dist, `${adapter}.mjs`)), ...others];
  const { status } = spawnSync(
    process.execPath,
    [
      'run.mjs',
      name,
      `--adapters=${adapters.join(',')}`,
      ...workloads[name].options,
      `--out=${out}`,
      ...options,
    ],
    {
      cwd: peers,
      stdio: 'inherit',
      env: { ...process.env, ...(history && { SVC_BENCH_HISTORY: `${history}` }) },
    },
  );
  if (status !== 0) {
    tables.push(`${name} failed`);
    process.exitCode = 1;
    continue;
  }
  for (const [metric, title] of Object.entries(metrics)) tables.push(tableOf(out, { metric, title, warmUp }));
}
console.log(tables.join('\n\n'));
