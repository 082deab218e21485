import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunClaim } from '@svc/contracts/orchestrator';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../src/clock.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { randomText } from '../src/random-text.js';
import { MemoryRunStore } from '../src/store/memory-run-store.js';
import { sqliteRunStore } from '../src/store/sqlite/sqlite-run-store.js';
import { createOrchestrator } from '../src/create-orchestrator.js';
import { openOrchestrator } from './support/open-orchestrator.js';
import { request, toolSpec } from './support/requests.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';
import { WireClient } from './support/wire-client.js';

const planner = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);

it('fails its in-memory runs with ORCHESTRATOR_CLOSED in their final', async () => {
  const { orchestrator, client } = await openOrchestrator({ planner: planner() });
  const session = await client.start(go);
  let last: { name: string; payload: object } | undefined;
  for await (const event of client.events(session.events_url)) {
    last = event;
    if (event.name === 'tool_event') void orchestrator.close();
  }
  expect(last).toMatchObject({
    name: 'final',
    payload: { status: 'failed', error_info: { code: 'ORCHESTRATOR_CLOSED' } },
  });
});

it('leaves stored runs to the next start: streams end without a final, and the runs complete later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-close-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const open = () =>
    openOrchestrator({ planner: planner(), store: sqliteRunStore({ path: join(folder, 'runs.db') }) });
  const first = await open();
  const { key } = await first.orchestrator.keys.create({ project: 'p' });
  const { session_id } = await first.client.start(go);
  const names: string[] = [];
  const { events_url } = { events_url: `${first.client.url}/sessions/${session_id}/events` };
  for await (const event of first.client.events(events_url)) {
    names.push(event.name);
    if (event.name === 'tool_event') void first.orchestrator.close();
  }
  expect(names.at(-1)).toBe('tool_event');
  await first.orchestrator.close();
  const second = await open();
  expect((await second.client.request('GET', '/sessions')).body.items).toMatchObject([{ session_id }]);
  const base = `${second.client.url}/sessions/${session_id}`;
  const { events, final } = await second.client.follow(
    { events_url: `${base}/events?last_event_id=0`, resume_url: `${base}/resume` },
    { b: () => 1 },
  );
  expect(final).toMatchObject({ status: 'completed', response: 'ok' });
  expect(events.filter(({ name }) => name === 'tool_event')).toHaveLength(1);
  const stillValid = await second.client.request('GET', '/sessions', undefined, {
    authorization: `Bearer ${key}`,
  });
  expect(stillValid.status).toBe(200);
});

it('continues a run of the in-process key, although a restart generates another key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-close-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const open = async () => {
    const store = sqliteRunStore({ path: join(folder, 'runs.db') });
    return { store, ...(await openOrchestrator({ planner: planner(), store, keyCheckIntervalMs: 10 })) };
  };
  const first = await open();
  const { session_id } = await first.client.start(go);
  await first.orchestrator.close();
  const { store, orchestrator, client } = await open();
  const { id, key } = await orchestrator.keys.create({ project: 'local' });
  const other = await new WireClient(orchestrator.url, key).start(go);
  // This process is not notified of the revocation: the end of the run shows that the keys of all runs were checked.
  await new KeyRing({ store, clock: systemClock, randomText, fixed: [] }).revoke(id);
  let last: object = {};
  for await (const event of client.events(other.events_url)) last = event.payload;
  expect(last).toMatchObject({ error_info: { code: 'KEY_REVOKED' } });
  const base = `${client.url}/sessions/${session_id}`;
  const session = { events_url: `${base}/events`, resume_url: `${base}/resume` };
  const { final } = await client.follow(session, { b: () => 1 });
  expect(final).toMatchObject({ status: 'completed' });
});

it('closes although its store hangs, and warns that its runs wait until their leases expire', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-close-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = sqliteRunStore({ path: join(folder, 'runs.db') });
  const silent = Object.assign(store, { releaseRun: () => new Promise<never>(() => {}) });
  const warned: unknown[] = [];
  const logger = { info() {}, warn: (...entry: unknown[]) => warned.push(entry), error() {} };
  const { orchestrator, client } = await openOrchestrator({
    planner: planner(),
    store: silent,
    logger,
    leaseMs: 100,
  });
  const session = await client.start(go);
  for await (const event of client.events(session.events_url)) if (event.name === 'tool_event') break;
  await orchestrator.close();
  expect(warned).toEqual([[{ waited_ms: 100 }, expect.stringContaining('until their leases expire')]]);
});

it('closes although its store cannot end its in-memory runs, and reports each', async () => {
  const store = new MemoryRunStore();
  const error = vi.fn();
  const logger = { info() {}, warn() {}, error };
  const { orchestrator, client } = await openOrchestrator({ planner: planner(), store, logger });
  const { events_url, session_id } = await client.start(go);
  for await (const { name } of client.events(events_url)) if (name === 'tool_event') break;
  vi.spyOn(store, 'append').mockRejectedValue(new Error('down'));
  await orchestrator.close();
  await expect(fetch(`${orchestrator.url}/health`)).rejects.toThrow();
  await expect(store.readRun(session_id)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ session_id }), 'background work failed');
});

it('takes over no runs of others while it drains', async () => {
  const store = sqliteRunStore({ path: ':memory:' });
  const renew = store.renewLeases.bind(store);
  let renewals = 0;
  Object.assign(store, {
    renewLeases(claim: RunClaim) {
      renewals += 1;
      return renew(claim);
    },
  });
  const { orchestrator, client } = await openOrchestrator({
    planner: planner(),
    store,
    leaseMs: 100,
  });
  const session = await client.start(go);
  let closed: Promise<void> | undefined;
  for await (const { name, payload } of client.events(session.events_url)) {
    if (name !== 'tool_event') continue;
    closed = orchestrator.close({ drainTimeoutMs: 30_000 });
    const run = { sessionId: 'other', projectId: 'p', keyId: 'k', labels: {}, request: {}, owner: 'x' };
    await store.createRun({ ...run, nowMs: 0, leaseMs: 0 });
    const before = renewals;
    await expect.poll(() => renewals, { timeout: 10_000 }).toBeGreaterThan(before + 1);
    expect(await store.readRun('other')).toMatchObject({ owner: 'x', epoch: 1, status: 'pending' });
    await client.result(session.resume_url, payload['id'], 1);
  }
  await closed;
});

it('logs no failure of a request that it has cut off', async () => {
  const store = sqliteRunStore({ path: ':memory:' });
  const read = store.readRun.bind(store);
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  Object.assign(store, {
    async readRun(sessionId: string) {
      asked.resolve();
      await closed.promise;
      return read(sessionId);
    },
  });
  const errors: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (...entry: unknown[]) => errors.push(entry) };
  const { orchestrator, client } = await openOrchestrator({ store, logger });
  const answer = client.request('GET', '/sessions/s').catch(() => 'cut off');
  await asked.promise;
  await orchestrator.close();
  closed.resolve();
  expect(await answer).toBe('cut off');
  await nextTurn();
  expect(errors).toEqual([]);
});

it('closes its memory database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-close-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { orchestrator, client } = await openOrchestrator({ memory: { path: join(folder, 'memory.db') } });
  const skill = await client.request('POST', '/projects/local/memory/skills', { name: 'Refunds' });
  expect(skill.status).toBe(201);
  await orchestrator.close();
  // SQLite removes its auxiliary files when the last connection closes.
  expect(await readdir(folder)).toEqual(['memory.db']);
});

it('leaves no timers behind', async () => {
  const going = new Set<number>();
  let timers = 0;
  const after = systemClock.after.bind(systemClock);
  const spy = vi.spyOn(systemClock, 'after').mockImplementation((delayMs, callback) => {
    const timer = (timers += 1);
    going.add(timer);
    const cancel = after(delayMs, () => {
      going.delete(timer);
      callback();
    });
    return () => {
      going.delete(timer);
      cancel();
    };
  });
  onTestFinished(() => spy.mockRestore());
  const { orchestrator, client } = await openOrchestrator({ planner: planner() });
  await client.follow(await client.start(go), { b: () => 1 });
  expect(going.size).toBeGreaterThan(0);
  await orchestrator.close({ drainTimeoutMs: 60_000 });
  await expect.poll(() => going.size).toBe(0);
});

it('can be closed twice', async () => {
  const { orchestrator } = await openOrchestrator({ planner: planner() });
  await Promise.all([orchestrator.close(), orchestrator.close()]);
  await orchestrator.close();
});

it('can be closed before it listens, and then refuses to listen', async () => {
  const orchestrator = createOrchestrator();
  await orchestrator.close();
  await expect(orchestrator.listen({ port: 0 })).rejects.toThrow('listen only once');
});

it('listens only once', async () => {
  const { orchestrator } = await openOrchestrator({ planner: planner() });
  await expect(orchestrator.listen({ port: 0 })).rejects.toThrow('listen only once');
  expect((await fetch(`${orchestrator.url}/health`)).status).toBe(200);
  await orchestrator.close();
  await expect(orchestrator.listen({ port: 0 })).rejects.toThrow('listen only once');
});

it('neither starts nor closes with unknown or invalid options', async () => {
  const orchestrator = createOrchestrator();
  await expect(orchestrator.listen({ prot: 0 } as never)).rejects.toThrow("listen: unknown option 'prot'");
  await expect(orchestrator.listen({ port: 65_536 })).rejects.toThrow('listen: port is invalid');
  await orchestrator.listen({ port: 0 });
  await expect(orchestrator.close({ drainMs: 9 } as never)).rejects.toThrow(
    "close: unknown option 'drainMs'",
  );
  await expect(orchestrator.close({ drainTimeoutMs: Number.NaN })).rejects.toThrow('close: drainTimeoutMs');
  expect((await fetch(`${orchestrator.url}/health`)).status).toBe(200);
  await orchestrator.close({ drainTimeoutMs: 0 });
});

it('refuses a blank host, which Node takes for every address, and can listen afterwards', async () => {
  const orchestrator = createOrchestrator();
  await expect(orchestrator.listen({ host: ' ', port: 0 })).rejects.toThrow(
    'listen: host is invalid: must be an address',
  );
  expect(await orchestrator.listen({ port: 0 })).toMatch(/^http:\/\/127\.0\.0\.1:/);
  await orchestrator.close();
});

it('is closed by await using', async () => {
  const orchestrator = createOrchestrator();
  const url = await orchestrator.listen({ port: 0 });
  await orchestrator[Symbol.asyncDispose]();
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});
