import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { startServer } from './start-server.js';

const packageFolder = join(import.meta.dirname, '..');

/** Bundles the command for plain Node: our own code and commander, near the orchestrator's dependencies. */
async function bundleMain(): Promise<string> {
  const folder = await mkdtemp(join(packageFolder, '../orchestrator/node_modules/.program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await build({
    entryPoints: { svc: join(packageFolder, 'src/main.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // As it is built: Node 22 cannot parse `await using`.
    target: 'es2023',
    conditions: ['@svc/source'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'only-our-own',
        setup(builder) {
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || /^(@svc\/|commander$)/.test(path)
              ? undefined
              : { path, external: true },
          );
        },
      },
    ],
  });
  return join(folder, 'svc.mjs');
}

it('names the required Node version on an older Node, before it loads any package', async () => {
  // No package can be found from this folder, so loading one would fail, as it may on the older Node.
  const outdir = await mkdtemp(join(tmpdir(), 'svc-old-node-'));
  onTestFinished(() => rm(outdir, { recursive: true }));
  await build({
    entryPoints: [join(packageFolder, 'src/main.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const older = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'22.18.0'}})";
  const child = spawn(process.execPath, ['--import', older, join(outdir, 'main.mjs'), 'version']);
  const exited = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([output, errors, await exited]).toEqual([
    '',
    expect.stringContaining('Node 22.19 or newer is required, got 22.18.0'),
    [1, null],
  ]);
}, 60_000);

it.each(['version', '--version'])(
  'prints only its version, without warnings from Node (%s)',
  async (asked) => {
    const child = spawn(process.execPath, [await bundleMain(), asked], {
      env: { PATH: process.env['PATH'] },
    });
    const exited = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([output, errors, await exited]).toEqual([`${manifest.version}\n`, '', [0, null]]);
  },
  60_000,
);

it.each([
  [
    'escapes the control characters of an unknown command',
    ['\u001B[2J\u009B2J'],
    String.raw`\u001b[2J\u009b2J`,
  ],
  ['explains an invalid argument', ['doctor', 's1'], 'svc: The address must be an HTTP URL, such as'],
  ['names a missing argument', ['doctor'], "error: missing required argument 'url'"],
])(
  '%s, and exits with status 1',
  async (_, args, said) => {
    const child = spawn(process.execPath, [await bundleMain(), ...args]);
    const exited = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([output, errors, await exited]).toEqual(['', expect.stringContaining(said), [1, null]]);
    expect(errors).not.toMatch(/\n\n\n|\n\n$/);
  },
  60_000,
);

it('opens a store without printing Node’s SQLite warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const args = [await bundleMain(), 'keys', 'create', '--project', 'p', '--store', join(folder, 's.db')];
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] } });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([output, errors]).toEqual([
    expect.stringMatching(/^\S+\n$/),
    expect.stringMatching(/^Key \S+ of .*\n$/),
  ]);
}, 60_000);

it.runIf(existsSync('/dev/full'))('fails when its output cannot be written', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const child = spawn(process.execPath, [await bundleMain(), 'version'], {
    stdio: ['ignore', full.fd, 'pipe'],
  });
  const [said, [status]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
  expect([said, status]).toEqual([expect.stringMatching(/^svc: cannot write the output: ENOSPC/), 1]);
});

it('exits with status 1 when svc doctor is interrupted', async () => {
  const asked = Promise.withResolvers<void>();
  const url = `${await startServer(() => asked.resolve())}/svc/events/s1`;
  const child = spawn(process.execPath, [await bundleMain(), 'doctor', url, '--seconds', '600']);
  const exited = once(child, 'exit');
  await asked.promise;
  child.kill('SIGINT');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([output, errors, await exited]).toEqual(['', '', [1, null]]);
}, 60_000);

/** Starts an orchestrator as a process of its own, killed at the end of the test. */
function spawnOrchestrator(program: string, ...flags: string[]) {
  const local = { SVC_API_KEY: 'k-local-test-key', SVC_PORT: '0', SVC_MODEL: '', SVC_STORE: '' };
  const args = ['--no-warnings', program, 'orchestrator', ...flags];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...local },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exited: once(child, 'exit') };
}

/** Returns functions that send requests to the address an orchestrator prints when it listens. */
async function requestsTo({ child }: ReturnType<typeof spawnOrchestrator>) {
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('SVC_API_KEY')) break;
  }
  const url = /http:\S+/.exec(output)?.[0] ?? '';
  const headers = { authorization: 'Bearer k-local-test-key', 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
  const get = (path: string) => fetch(new URL(path, url), { headers });
  return { get, post };
}

const countLines = {
  messages: [{ type: 'human', content: 'count lines' }],
  tools: [
    {
      tool_id: 't',
      agent_id: 'a',
      name: 'count_lines',
      description: 'Count lines',
      args_schema: { properties: {}, required: [] },
    },
  ],
};

it('keeps running when its stderr is closed, and exits with status 0 when its stdout is closed', async () => {
  const program = await bundleMain();
  const unlogged = spawnOrchestrator(program);
  unlogged.child.stderr.destroy();
  const { get, post } = await requestsTo(unlogged);
  const state = { messages: [{ type: 'human', content: 'hello' }], tools: [] };
  const session = Object(await (await post('/start-session', { state })).json());
  expect(await (await get(session.events_url)).text()).toContain('event: final');
  expect((await get('/health')).status).toBe(200);
  unlogged.child.kill();
  expect(await unlogged.exited).toEqual([0, null]);
  const unread = spawnOrchestrator(program);
  unread.child.stdout.destroy();
  expect(await unread.exited).toEqual([0, null]);
}, 60_000);

it('lets open runs end after SIGTERM, refuses new ones, and exits with status 0', async () => {
  const orchestrator = spawnOrchestrator(await bundleMain(), '--drain-seconds', '60');
  orchestrator.child.stderr.resume();
  const { get, post } = await requestsTo(orchestrator);
  const session = Object(await (await post('/start-session', { state: countLines })).json());
  const stream = await get(session.events_url);
  const decoder = new TextDecoder();
  let events = '';
  let isAnswered = false;
  for await (const chunk of stream.body ?? []) {
    events += decoder.decode(chunk, { stream: true });
    const [, id] = /event: tool_event\ndata: \{"id":"([^"]+)"/.exec(events) ?? [];
    if (isAnswered || id === undefined) continue;
    isAnswered = true;
    orchestrator.child.kill('SIGTERM');
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 30_000 }).toBe(503);
    expect((await post('/start-session', { state: countLines })).status).toBe(503);
    // The flag is in seconds: in milliseconds, the drain would be over by now.
    await wait(500);
    const value = { tool_event_id: id, status: 'ok', result: 3 };
    expect(await (await post(session.resume_url, { value })).json()).toEqual({ accepted: true });
  }
  expect(events).toMatch(/event: final\ndata: .*"status":"completed"/);
  expect(await orchestrator.exited).toEqual([0, null]);
}, 120_000);

it.skipIf(process.platform === 'win32').each([
  ['orchestrator --port 0', 0],
  ['keys create --project p --store :memory:', 1],
])(
  'obeys a signal that arrives while it is loaded: %s',
  async (args, status) => {
    const signalAtFirstPackage = `import { registerHooks } from 'node:module';
    let isSent = false;
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'fastify' && !isSent) isSent = process.kill(process.pid, 'SIGTERM');
        return next(specifier, context);
      },
    });`;
    const preload = `data:text/javascript,${encodeURIComponent(signalAtFirstPackage)}`;
    const options = ['--no-warnings', '--import', preload, await bundleMain(), ...args.split(' ')];
    const child = spawn(process.execPath, options);
    const exited = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([output, errors, await exited]).toEqual(['', '', [status, null]]);
  },
  60_000,
);

it('stops waiting for runs at a second signal, even a different one', async () => {
  const orchestrator = spawnOrchestrator(await bundleMain(), '--drain-seconds', '3600');
  orchestrator.child.stderr.resume();
  const { get, post } = await requestsTo(orchestrator);
  await post('/start-session', { state: countLines });
  orchestrator.child.kill('SIGINT');
  await expect.poll(async () => (await get('/health/ready')).status, { timeout: 30_000 }).toBe(503);
  orchestrator.child.kill('SIGTERM');
  expect(await orchestrator.exited).toEqual([null, 'SIGTERM']);
}, 60_000);
