import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProgram } from '../../../tooling/bundle-program.ts';
import { needs, request, toolSpec } from './support/requests.js';
import { WireClient } from './support/wire-client.js';

let program: Awaited<ReturnType<typeof bundleProgram>>;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('support/programs/doomed-server.ts', import.meta.url));
  folder = await mkdtemp(join(tmpdir(), 'svc-crash-'));
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true });
});

const text = { type: 'string' };
const charge = request('charge', [
  toolSpec('fetch', { id: text }),
  toolSpec('charge', { order: needs('fetch'), note: text }),
]);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function startServer(path: string, port: number, killAfter: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', program.file, path, String(port), String(killAfter)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

/** A client that tries again whenever the line breaks, and knows what it has run. */
async function runThroughDeaths(client: WireClient): Promise<{ final: unknown; ran: string[] }> {
  const retry = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        await delay(10);
      }
    }
  };
  const ran: string[] = [];
  const results = new Map<string, unknown>();
  const session = await retry(() => client.start(charge));
  let cursor: string | undefined;
  for (;;) {
    try {
      for await (const event of client.events(session.events_url, cursor === undefined ? {} : { cursor })) {
        if (event.name === 'final') return { final: event.payload, ran };
        if (event.name === 'tool_event') {
          const { id, value } = event.payload;
          if (!results.has(id)) ran.push(value.tool_call.tool_name);
          results.set(id, { ok: true });
          await retry(() => client.result(session.resume_url, id, { ok: true }));
        }
        if (event.name === 'interrupt_required') {
          const path = `/api/v1/checkpoints/${event.payload['checkpoint_id']}/resume`;
          await retry(() => client.request('POST', path, { interrupt_data: { sure: 'yes' } }));
        }
        cursor = event.id ?? cursor;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await delay(10);
  }
}

async function run(killAfter: number): Promise<{ final: object; ran: string[]; deaths: number }> {
  const port = await freePort();
  const path = join(folder, `runs-${killAfter}.db`);
  let deaths = 0;
  let child = await startServer(path, port, killAfter);
  const onExit = async () => {
    deaths += 1;
    child = await startServer(path, port, 0);
  };
  child.once('exit', onExit);
  const outcome = await runThroughDeaths(new WireClient(`http://127.0.0.1:${port}`, 'crash-key'));
  child.off('exit', onExit);
  child.kill('SIGKILL');
  const { session_id: _id, started_at: _start, completed_at: _end, ...final } = Object(outcome.final);
  return { final, ran: outcome.ran, deaths };
}

it('goes on after kill -9 at any write, the client noticing a reconnect at most', async () => {
  const undisturbed = await run(0);
  expect(undisturbed).toMatchObject({ final: { status: 'completed' }, ran: ['fetch', 'charge'], deaths: 0 });
  // The last write is the final, after which nobody is left to wait for a successor.
  for (let killAfter = 1; killAfter <= 14; killAfter += 1) {
    expect(await run(killAfter), `killed after write ${killAfter}`).toEqual({ ...undisturbed, deaths: 1 });
  }
}, 300_000);

it('goes on with many runs at once, death after death', async () => {
  const port = await freePort();
  const path = join(folder, 'runs-many.db');
  let lives = 0;
  let child: ChildProcess | undefined;
  const live = async () => {
    for (const killAfter of [30, 60, 90, 0]) {
      lives += 1;
      child = await startServer(path, port, killAfter);
      if (child.signalCode === null) await once(child, 'exit');
    }
  };
  const server = live();
  const client = () => runThroughDeaths(new WireClient(`http://127.0.0.1:${port}`, 'crash-key'));
  const runs = await Promise.all(Array.from({ length: 20 }, client));
  child?.kill('SIGKILL');
  await server;
  for (const each of runs)
    expect(each).toMatchObject({ final: { status: 'completed' }, ran: ['fetch', 'charge'] });
  expect(lives).toBe(4);
}, 300_000);
