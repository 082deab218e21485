import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { bundle } from './bundle.mjs';

const [sessions, rounds, callsPerSession] = [500, 5, 5];
const [bare, orchestrator, load] = await Promise.all(
  ['bare-server', 'orchestrator-server', 'session-load'].map((name) => bundle(name)),
);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const cases = [
  ['bare node:http', bare, []],
  ['orchestrator, in memory', orchestrator, []],
  ['orchestrator, SQLite', orchestrator, [join(folder, 'runs.db')]],
];
const servers = await Promise.all(
  cases.map(async ([name, file, args]) => {
    const child = spawn(process.execPath, ['--expose-gc', '--no-warnings', file, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ready = await lines.next();
    if (ready.done) throw new Error(`${name} did not start`);
    const [url, key] = ready.value.split(' ');
    const report = async () => {
      child.kill('SIGUSR2');
      return JSON.parse((await lines.next()).value);
    };
    return { name, child, url, key, report, samples: [] };
  }),
);

const measure = async ({ url, key, report, samples }, isWarmUp) => {
  const before = await report();
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    load,
    url,
    key,
    String(sessions),
  ]);
  if (Number(stdout) !== sessions * callsPerSession)
    throw new Error(`The client made ${stdout.trim()} calls, expected ${sessions * callsPerSession}`);
  const after = await report();
  if (!isWarmUp) samples.push({ cpuUs: after.cpuUs, bytes: after.heapBytes - before.heapBytes });
};
for (let round = 0; round <= rounds; round += 1)
  for (const server of servers) await measure(server, round === 0);

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const bareUs = servers[0].samples.map(({ cpuUs }) => cpuUs);
console.log(`${sessions} concurrent sessions, ${callsPerSession} calls each; median of ${rounds} rounds`);
console.log(
  '| Server | CPU us per call | of bare HTTP | heap KB kept per session |\n| --- | --- | --- | --- |',
);
for (const { name, samples } of servers) {
  const perCall = median(samples.map(({ cpuUs }) => cpuUs)) / sessions / callsPerSession;
  const ratio = median(samples.map(({ cpuUs }, round) => cpuUs / bareUs[round]));
  const kept = median(samples.map(({ bytes }) => bytes)) / sessions / 1024;
  console.log(`| ${name} | ${perCall.toFixed(0)} | ${ratio.toFixed(2)}x | ${kept.toFixed(1)} |`);
}
for (const { child } of servers) {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
rmSync(folder, { recursive: true });
