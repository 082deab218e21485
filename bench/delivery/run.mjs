// node bench/delivery/run.mjs [w1 w2 ...] [options of peers/run.mjs]: the mounted route beside the peers, over real sockets
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { tableOf } from './table.mjs';

const peers = join(import.meta.dirname, '..', 'peers');
const dist = join(import.meta.dirname, '..', 'dist');
const all = ['svc-frames', 'svc-delivery', 'svc-contract'];
const others = ['better-sse-tuned', 'fastify-sse-tuned', 'fastify-sse-v2'];

/**
 * What is run of the harness, with what options, and what is told of it. A producer of the harness waits for sockets
 * that hold too much, which ours do not: they leave it in the log, whose `history` then has to hold it.
 */
const workloads = {
  // Many events, because a process that has just begun spends much of its time on compiling the code it runs.
  w1: {
    ours: all,
    options: ['--S=1,100,1000', '--rounds=3', '--scale=2'],
    history: 20_000,
    metrics: { us: 'CPU us for each delivered event' },
  },
  w2: {
    ours: all,
    options: ['--rounds=3', '--scale=0.2'],
    metrics: { us: 'CPU us for each delivered event' },
  },
  // And for the same reason the first rounds are left out.
  w3: {
    options: ['--rounds=36'],
    warmUp: 2 / 3,
    metrics: { us: 'us from the request to the last event', cpuUs: 'CPU us for each replay' },
  },
  w4: {
    ours: ['svc-contract'],
    options: ['--rounds=3', '--secs=3'],
    metrics: {
      rssPer: 'resident bytes of a connection',
      openUs: 'CPU us to open one',
      beatUs: 'CPU us for each heartbeat',
    },
  },
  w5: { options: ['--rounds=3'], metrics: { p50: 'us from emit to receive, the median' } },
  w8: { options: ['--rounds=3', '--size=large'], history: 5_000, metrics: { rssMB: 'MB held' } },
};

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const chosen = words.filter((word) => !word.startsWith('--'));
const unknown = chosen.find((name) => !Object.hasOwn(workloads, name));
if (unknown) throw new Error(`No workload '${unknown}': there are ${Object.keys(workloads).join(', ')}`);
if (!existsSync(join(peers, 'node_modules')))
  throw new Error('Run `npm ci --ignore-scripts` in bench/peers first');
const { soft } = process.report.getReport().userLimits.open_files;
if (soft !== 'unlimited' && soft < 6_000)
  throw new Error(`\`ulimit -n\` must be 6000 or more, and is ${soft}`);

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
