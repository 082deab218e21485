import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../src/create-orchestrator.js';
import { sqliteRunStore } from '../src/sqlite.js';
import { MemoryRunStore } from '../src/store/memory-run-store.js';
import { newFolder } from './support/new-folder.js';
import { request, toolSpec } from './support/requests.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';
import { WireClient } from './support/wire-client.js';

/** A store whose runs can be claimed only once the gate opens. */
class SlowStore extends MemoryRunStore {
  readonly gate = Promise.withResolvers<void>();

  override async claimRun(...given: Parameters<MemoryRunStore['claimRun']>) {
    await this.gate.promise;
    return super.claimRun(...given);
  }
}

const go = request('go', [toolSpec('b')]);

async function openSlowly() {
  const store = new SlowStore();
  const run = { sessionId: 'left', projectId: 'local', keyId: 'k', labels: {}, owner: 'x' };
  await store.createRun({ ...run, request: JSON.parse(JSON.stringify(go)), nowMs: 0, leaseMs: 0 });
  const planner = scriptedPlanner(() => [call(['t-b']), finish('ok')]);
  const orchestrator = createOrchestrator({ planner, store });
  onTestFinished(() => orchestrator.close());
  const listening = orchestrator.listen({ port: 0 });
  listening.catch(() => {});
  await expect.poll(() => orchestrator.url, { timeout: 10_000 }).toContain('http');
  return { store, orchestrator, listening, client: new WireClient(orchestrator.url, orchestrator.apiKey) };
}

it('is live and serves, but is not ready, while it takes over earlier runs', async () => {
  const { store, client, listening } = await openSlowly();
  expect(await client.request('GET', '/health')).toMatchObject({ status: 200 });
  const starting = await client.request('GET', '/health/ready');
  expect(starting).toMatchObject({ status: 503, body: { status: 'starting' } });
  expect(starting.headers.get('retry-after')).toBe('1');
  const { final } = await client.run(go, { b: () => 1 });
  expect(final).toMatchObject({ status: 'completed' });
  store.gate.resolve();
  await listening;
  expect(await client.request('GET', '/health/ready')).toMatchObject({ status: 200 });
  const base = `${client.url}/sessions/left`;
  const left = { events_url: `${base}/events`, resume_url: `${base}/resume` };
  expect((await client.follow(left, { b: () => 1 })).final).toMatchObject({ status: 'completed' });
});

it('ends the streams and runs of a key that is revoked while it takes over earlier runs', async () => {
  const { store, orchestrator, listening } = await openSlowly();
  const { id, key } = await orchestrator.keys.create({ project: 'p' });
  const client = new WireClient(orchestrator.url, key);
  const { session_id, events_url } = await client.start(go);
  const names: string[] = [];
  for await (const { name } of client.events(events_url)) {
    names.push(name);
    if (name === 'tool_event') await orchestrator.keys.revoke(id);
  }
  expect(names.at(-1)).toBe('final');
  await expect.poll(() => store.readRun(session_id)).toMatchObject({ status: 'failed' });
  store.gate.resolve();
  await listening;
});

it('stops listening when earlier runs cannot be taken over', async () => {
  const { store, client, listening } = await openSlowly();
  const away = new Error('The store is away.');
  store.gate.reject(away);
  await expect(listening).rejects.toBe(away);
  await expect(client.request('GET', '/health')).rejects.toThrow('fetch failed');
});

it('does not start when it is closed while it takes over earlier runs', async () => {
  const { store, client, listening, orchestrator } = await openSlowly();
  const closing = orchestrator.close();
  store.gate.resolve();
  await expect(listening).rejects.toThrow('closed while it was starting');
  await closing;
  await expect(client.request('GET', '/health')).rejects.toThrow('fetch failed');
});

it('releases its port when it is closed while it is still opening it', async () => {
  const planner = scriptedPlanner(() => [finish('ok')]);
  const orchestrator = createOrchestrator({ planner });
  const listening = orchestrator.listen({ port: 0 });
  const closing = orchestrator.close();
  await expect(listening).rejects.toThrow('closed while it was starting');
  await closing;
  await expect(fetch(`${orchestrator.url}/health`)).rejects.toThrow('fetch failed');
});

it('refuses to listen while another orchestrator uses its store file, even one without runs', async () => {
  const path = join(await newFolder(), 'runs.db');
  const [first, second] = [0, 1].map(() => {
    const orchestrator = createOrchestrator({ store: sqliteRunStore({ path, synchronous: 'normal' }) });
    onTestFinished(() => orchestrator.close());
    return orchestrator;
  });
  await first?.listen({ port: 0 });
  await expect(second?.listen({ port: 0 })).rejects.toMatchObject({ code: 'STORE_IN_USE' });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const addresses = [
  ['127.0.0.1', 'http://127.0.0.1:'],
  ['localhost', 'http://localhost:'],
  ['0.0.0.0', 'http://127.0.0.1:'],
  ['::1', 'http://[::1]:'],
  ['::', 'http://[::1]:'],
] as const;

it.each(addresses.filter(([host]) => hasIpv6 || !host.includes(':')))(
  'is reachable at its url when it listens on %s: %s',
  async (host, start) => {
    const orchestrator = createOrchestrator();
    onTestFinished(() => orchestrator.close());
    expect(() => orchestrator.url).toThrow('listen() first');
    const url = await orchestrator.listen({ host, port: 0 });
    expect(orchestrator.url).toBe(url);
    expect(url.startsWith(start)).toBe(true);
    const answer = await new WireClient(url, orchestrator.apiKey).request('GET', '/sessions');
    expect(answer.status).toBe(200);
  },
);

it('can be closed after its port was taken', async () => {
  const [first, second] = [createOrchestrator(), createOrchestrator()];
  onTestFinished(() => first.close());
  const port = Number(new URL(await first.listen({ port: 0 })).port);
  await expect(second.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.close();
});
