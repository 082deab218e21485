import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisEventLog } from '@svc/redis';
import { Redis } from 'ioredis';

const EVENTS = 10_000;
const ROUNDS = 7;
const BURSTS = [1, 16];

const port = await freePort();
const directory = mkdtempSync(join(tmpdir(), 'svc-bench-redis-'));
const settings = ['--port', String(port), '--dir', directory, '--save', '', '--loglevel', 'warning'];
const server = spawn('redis-server', settings, { stdio: 'ignore' });
const [client, reader] = [connect(), connect()];
await Promise.all([client.ping(), reader.ping()]);
let keys = 0;

/** Single entries or bursts, written by one connection and read by another. */
const cases = {
  async 'bare XADD and XREAD BLOCK'(burst: number) {
    const key = `bare-${(keys += 1)}`;
    const read = (async () => {
      for (let got = 0, last = '0-0'; got < EVENTS;) {
        const reply = (await reader.callBuffer('XREAD', 'BLOCK', '0', 'STREAMS', key, last)) as Reply;
        const entries = entriesOf(reply);
        got += entries.length;
        last = entries.at(-1)?.[0].toString() ?? last;
      }
    })();
    for (let seq = 1; seq <= EVENTS; seq += burst) {
      await Promise.all(numbers(seq, burst).map((n) => client.xadd(key, `${n}-0`, 'f', frame(n))));
    }
    await read;
  },
  async 'redisEventLog append and follow'(burst: number) {
    const sessionId = `session-${(keys += 1)}`;
    const [writing, following] = [redisEventLog({ client }), redisEventLog({ client: reader })];
    const { epoch } = await writing.open(sessionId);
    const read = (async () => {
      let got = 0;
      for await (const page of following.follow(sessionId, { afterSeq: 0 })) {
        got += page.ends.length;
        if (got >= EVENTS) return;
      }
    })();
    for (let seq = 1; seq <= EVENTS; seq += burst) {
      const appends = numbers(seq, burst).map((n) =>
        writing.append({ sessionId, seq: n, kind: 'event', frames: frame(n) }, { epoch }),
      );
      await Promise.all(appends);
    }
    await read;
    await Promise.all([writing.close(), following.close()]);
  },
};

for (const burst of BURSTS) {
  const spent = new Map<string, { client: number; server: number }[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const used = await measure(() => run(burst));
      // The first round is the warm-up.
      if (round > 0) spent.set(name, [...(spent.get(name) ?? []), used]);
    }
  }
  const [bare = [], ours = []] = [...spent.values()];
  for (const [name, rounds] of spent) {
    const [ofClient, ofServer] = [median(rounds.map((r) => r.client)), median(rounds.map((r) => r.server))];
    console.log(
      `burst ${burst}, ${name}: client ${ofClient.toFixed(1)} us, server ${ofServer.toFixed(1)} us`,
    );
  }
  const ratio = (pick: (used: { client: number; server: number }) => number) =>
    median(ours.map((used, i) => pick(used) / pick(bare[i] ?? used))).toFixed(2);
  const all = ratio(({ client: c, server: s }) => c + s);
  console.log(
    `burst ${burst}: ${all}x of bare (client ${ratio((u) => u.client)}x, server ${ratio((u) => u.server)}x)`,
  );
}

client.disconnect();
reader.disconnect();
server.kill('SIGKILL');
rmSync(directory, { recursive: true, force: true });

type Entry = [id: Buffer, fields: Buffer[]];
/** A list of pairs or, in RESP3, a flat map. */
type Reply = [[key: Buffer, entries: Entry[]]] | [key: Buffer, entries: Entry[]];

function entriesOf(reply: Reply): Entry[] {
  return Array.isArray(reply[0]) ? reply[0][1] : ((reply[1] ?? []) as Entry[]);
}

function frame(seq: number): string {
  const data = {
    contract_version: 'v1',
    event_name: 'assistant_chunk',
    assistant_id: 'a',
    text: 'some text',
  };
  const envelope = { id: `abc-${seq}`, type: 'assistant_chunk', timestamp: '2026-01-01T00:00:00.000Z', data };
  return `id: abc-${seq}\nevent: assistant_chunk\ndata: ${JSON.stringify({ ...envelope, more: 'x'.repeat(100) })}\n\n`;
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: Math.min(count, EVENTS - from + 1) }, (_, i) => from + i);
}

/** CPU microseconds per event, of this process and of Redis. */
async function measure(run: () => Promise<void>): Promise<{ client: number; server: number }> {
  const [before, start] = [await serverMicros(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(start);
  return { client: (user + system) / EVENTS, server: ((await serverMicros()) - before) / EVENTS };
}

async function serverMicros(): Promise<number> {
  const info = await client.info('cpu');
  const seconds = ['user', 'sys'].map((kind) =>
    Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(info)?.[1]),
  );
  return seconds.reduce((sum, each) => sum + each, 0) * 1e6;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function connect(): Redis {
  const connection = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  connection.on('error', () => {});
  return connection;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return free;
}
