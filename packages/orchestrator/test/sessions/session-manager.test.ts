import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { createValueMatcher } from '@svc/redaction';
import { expect, it } from 'vitest';
import { readSessionState } from '../../src/sessions/record/find-session.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { request, toolSpec } from '../support/requests.js';
import { SessionBench } from '../support/session-bench.js';
import { replicas, script } from './replicas.js';

const go = request('go', [toolSpec('b')]);
const toolTimeoutMs = 60_000;
const stored = JSON.parse(JSON.stringify(SessionRequestSchema.parse(go)));
const newRun = { projectId: 'p', keyId: 'k', labels: {}, request: stored, leaseMs: 15_000 };

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('leaves a run to its owner, and takes it over when the lease expires', async () => {
  const { clock, one, two } = replicas();
  await two.manager.open();
  const id = await one.start(go);
  await one.call(id, 'b');
  clock.advance(14_000);
  await settle();
  expect(two.manager.activeCount('p')).toBe(0);
  // The first replica never opened, so it does not renew its leases and counts as dead.
  clock.advance(6_000);
  await expect.poll(() => two.manager.activeCount('p')).toBe(1);
  await two.post(id, (await two.call(id, 'b')).id, 1);
  expect(await two.final(id)).toMatchObject({ status: 'completed' });
  expect((await two.events(id)).filter(({ name }) => name === 'tool_event')).toHaveLength(1);
});

it('keeps its runs as long as it renews its leases', async () => {
  const { clock, one, two } = replicas();
  await Promise.all([one.manager.open(), two.manager.open()]);
  await one.start(go);
  await one.start(go, { projectId: 'q' });
  for (let beat = 0; beat < 10; beat += 1) {
    clock.advance(5_000);
    await settle();
  }
  expect([one.manager.activeCount('p'), two.manager.activeCount('p')]).toEqual([1, 0]);
});

it('renews its leases while it takes over abandoned runs, however long that takes', async () => {
  const gate = Promise.withResolvers<void>();
  const claimed: string[] = [];
  class SlowStore extends MemoryRunStore {
    override async claimRun(...given: Parameters<MemoryRunStore['claimRun']>) {
      claimed.push(given[0]);
      await gate.promise;
      return super.claimRun(...given);
    }
  }
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const one = new SessionBench({ planner: script(), store, clock, owner: 'one' });
  await one.manager.open();
  const id = await one.start(go);
  await store.createRun({ ...newRun, sessionId: 'left', owner: 'dead', nowMs: clock.nowMs() - 20_000 });
  for (let beat = 0; beat < 10; beat += 1) {
    clock.advance(5_000);
    await settle();
  }
  expect(claimed).toEqual(['left']);
  expect((await store.readRun(id))?.leaseUntilMs).toBe(clock.nowMs() + 15_000);
  gate.resolve();
  await expect.poll(() => one.manager.activeCount('p')).toBe(2);
});

it('releases the run that it was taking over when it was closed, and takes over no other', async () => {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  class SlowStore extends MemoryRunStore {
    override async claimRun(...given: Parameters<MemoryRunStore['claimRun']>) {
      asked.resolve();
      await gate.promise;
      return super.claimRun(...given);
    }
  }
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const { manager } = new SessionBench({ planner: script(), store, clock, owner: 'one' });
  const leave = { owner: 'dead', nowMs: clock.nowMs() - 20_000 };
  for (const sessionId of ['older', 'left']) await store.createRun({ ...newRun, ...leave, sessionId });
  const opened = manager.open();
  await asked.promise;
  const closed = manager.close();
  gate.resolve();
  await Promise.all([opened, closed]);
  const runs = await Promise.all(['older', 'left'].map((sessionId) => store.readRun(sessionId)));
  expect(runs.filter((run) => run?.owner === 'one')).toMatchObject([{ leaseUntilMs: 0 }]);
});

it('does nothing more when it was closed while it opened', async () => {
  const gate = Promise.withResolvers<void>();
  class SlowStore extends MemoryRunStore {
    override async renewLeases(...given: Parameters<MemoryRunStore['renewLeases']>) {
      await gate.promise;
      return super.renewLeases(...given);
    }
  }
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const { manager } = new SessionBench({ planner: script(), store, clock, owner: 'one' });
  const leave = { owner: 'dead', nowMs: clock.nowMs() - 20_000 };
  await store.createRun({ ...newRun, ...leave, sessionId: 'left' });
  const opened = manager.open();
  await manager.close();
  gate.resolve();
  await opened;
  expect(clock.waiting).toBe(0);
  expect(await store.readRun('left')).toMatchObject({ owner: 'dead' });
});

it('leases a new run from when it is stored, however long its thread takes to read', async () => {
  const clock = new ManualClock();
  class SlowStore extends MemoryRunStore {
    override async listDocuments(...given: Parameters<MemoryRunStore['listDocuments']>) {
      clock.advance(20_000);
      return super.listDocuments(...given);
    }
  }
  const store = new SlowStore();
  const one = new SessionBench({ planner: script(), store, clock, owner: 'one' });
  const id = await one.start(go, { threadId: 't' });
  const [createdAtMs, leaseUntilMs] = [clock.nowMs(), clock.nowMs() + 15_000];
  expect(await store.readRun(id)).toMatchObject({ createdAtMs, leaseUntilMs });
});

it('does not take over a run that it is still starting, after the same start was refused', async () => {
  const [created, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  /** Acknowledges the first run late. */
  class SlowStore extends MemoryRunStore {
    override async createRun(...given: Parameters<MemoryRunStore['createRun']>) {
      const record = await super.createRun(...given);
      created.resolve();
      await gate.promise;
      return record;
    }
  }
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const { manager } = new SessionBench({ planner: script(), store, clock, owner: 'one' });
  await manager.open();
  const start = () =>
    manager.start(
      { sessionId: 'same', projectId: 'p', keyId: 'k', labels: {} },
      SessionRequestSchema.parse(go),
    );
  const started = start();
  await created.promise;
  await expect(start()).rejects.toMatchObject({ code: 'RUN_EXISTS' });
  clock.advance(5_000);
  await settle();
  gate.resolve();
  await started;
  expect(await store.readRun('same')).toMatchObject({ epoch: 1 });
  expect(manager.activeCount('p')).toBe(1);
});

it('stops quietly when another replica has taken over its run', async () => {
  const { store, clock, one, two } = replicas();
  const id = await one.start(go);
  const { id: callId } = await one.call(id, 'b');
  clock.advance(20_000);
  await two.manager.open();
  await expect.poll(() => two.manager.activeCount('p')).toBe(1);
  await two.post(id, callId, 1);
  expect(await two.final(id)).toMatchObject({ status: 'completed' });
  await expect.poll(() => one.manager.activeCount('p')).toBe(0);
  expect([one.errors, two.errors]).toEqual([[], []]);
  const finals = (await two.events(id)).filter(({ name }) => name === 'final');
  expect(finals).toHaveLength(1);
  expect(await store.readRun(id)).toMatchObject({ owner: 'two', epoch: 2 });
});

it('releases its runs when it closes, so that others need not wait for the lease', async () => {
  const { clock, one, two } = replicas();
  const id = await one.start(go);
  await one.call(id, 'b');
  expect(one.manager.isAtWork(id, 'p')).toBe(true);
  const closing = one.manager.close();
  expect(one.manager.isAtWork(id, 'p')).toBe(false);
  await closing;
  await two.manager.open();
  await expect.poll(() => two.manager.activeCount('p')).toBe(1);
  await two.post(id, (await two.call(id, 'b')).id, 1);
  expect(await two.final(id)).toMatchObject({ status: 'completed' });
  expect(clock.nowMs()).toBe(Date.UTC(2026, 0, 1));
});

it('takes over no runs of others while it drains, but continues its own', async () => {
  const { store, clock, one, two } = replicas();
  const own = await store.createRun({ ...newRun, sessionId: 'own', owner: 'two', nowMs: clock.nowMs() });
  clock.advance(1);
  const id = await one.start(go);
  await one.call(id, 'b');
  await one.manager.close();
  two.manager.drain();
  await two.manager.open();
  await two.post(own.sessionId, (await two.call(own.sessionId, 'b')).id, 1);
  expect(await two.final(own.sessionId)).toMatchObject({ status: 'completed' });
  clock.advance(20_000);
  await settle();
  expect(await store.readRun(id)).toMatchObject({ owner: 'one', epoch: 1 });
});

it('stops taking over runs of others as soon as it drains', async () => {
  const claimed: string[] = [];
  class DrainingStore extends MemoryRunStore {
    override claimRun(...given: Parameters<MemoryRunStore['claimRun']>) {
      claimed.push(given[0]);
      two.manager.drain();
      return super.claimRun(...given);
    }
  }
  const [store, clock] = [new DrainingStore(), new ManualClock()];
  const two = new SessionBench({ planner: script(), store, clock, owner: 'two' });
  for (const sessionId of ['a', 'b'])
    await store.createRun({ ...newRun, sessionId, owner: 'one', nowMs: clock.nowMs() });
  clock.advance(20_000);
  await two.manager.open();
  expect(claimed).toHaveLength(1);
});

it('restarts the timeout of open calls after each takeover, however long the run was idle', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const one = new SessionBench({ planner: script(), store, clock, isMortal: true });
  const id = await one.start(go);
  const { id: callId } = await one.call(id, 'b');
  await one.manager.close();
  clock.advance(5 * toolTimeoutMs);
  const two = new SessionBench({ planner: script(), store, clock, isMortal: true });
  await two.manager.open();
  const expiry = async () => (await readSessionState(store, id)).calls.get(callId)?.expiresAtMs;
  await expect.poll(expiry).toBe(clock.nowMs() + toolTimeoutMs);
  await two.manager.close();
  clock.advance(5 * toolTimeoutMs);
  const three = new SessionBench({ planner: script(), store, clock });
  await three.manager.open();
  await expect.poll(expiry).toBe(clock.nowMs() + toolTimeoutMs);
  const journal = await store.readJournal(id, { afterSeq: 0, limit: 1000 });
  expect(journal.filter(({ kind }) => kind === 'wait')).toHaveLength(1);
  expect(await three.post(id, callId, 1)).toEqual({ accepted: true });
  expect(await three.final(id)).toMatchObject({ status: 'completed' });
});

it('expires a call that is not answered after a takeover', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const one = new SessionBench({ planner: script(), store, clock, isMortal: true });
  const id = await one.start(go);
  const { id: callId } = await one.call(id, 'b');
  await one.manager.close();
  clock.advance(5 * toolTimeoutMs);
  const two = new SessionBench({ planner: script(), store, clock });
  await two.manager.open();
  const callState = async () => (await readSessionState(store, id)).calls.get(callId);
  await expect.poll(callState).toMatchObject({ expiresAtMs: clock.nowMs() + toolTimeoutMs });
  // The loop may not have read its own entry yet, so time advances until it sees the expiry.
  await expect
    .poll(async () => {
      clock.advance(toolTimeoutMs);
      return callState();
    })
    .toMatchObject({ outcome: { error: { code: 'TOOL_TIMEOUT' } } });
});

it('takes over more runs than fit on one page of the list', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const first = new SessionBench({ planner: script(), store, clock, isMortal: true });
  const ids: string[] = [];
  for (let number = 0; number < 450; number += 1) {
    if (number % 3 === 0) clock.advance(1);
    ids.push(await first.start(go));
  }
  await first.manager.close();
  const second = new SessionBench({ planner: script(), store, clock });
  await second.manager.open();
  expect(second.manager.activeCount('p')).toBe(450);
});

it('retries a takeover after the store failed', async () => {
  class FailingStore extends MemoryRunStore {
    isAway = false;
    override async listDocuments(query: Parameters<MemoryRunStore['listDocuments']>[0]) {
      if (this.isAway) throw new Error('The store is away.');
      return super.listDocuments(query);
    }
  }
  const [store, clock] = [new FailingStore(), new ManualClock()];
  const first = new SessionBench({ planner: script(), store, clock, isMortal: true });
  const id = await first.start(go, { threadId: 't' });
  await first.call(id, 'b');
  await first.manager.close();
  const second = new SessionBench({ planner: script(), store, clock });
  store.isAway = true;
  await second.manager.open();
  expect([second.manager.activeCount('p'), second.errors.length]).toEqual([0, 1]);
  store.isAway = false;
  clock.advance(5_000);
  await expect.poll(() => second.manager.activeCount('p')).toBe(1);
  await second.post(id, (await second.call(id, 'b')).id, 1);
  expect(await second.final(id)).toMatchObject({ status: 'completed' });
});

it('ends a run with RUN_LOST when it can no longer read its request', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const run = {
    sessionId: 'sess_old',
    projectId: 'p',
    keyId: 'k',
    labels: {},
    nowMs: 0,
    leaseMs: 0,
    owner: 'x',
  };
  await store.createRun({ ...run, request: { messages: 'of another release' } });
  const bench = new SessionBench({ planner: script(), store, clock });
  await bench.manager.open();
  expect(await bench.final('sess_old')).toMatchObject({ status: 'failed', error_info: { code: 'RUN_LOST' } });
  expect(bench.errors).toHaveLength(1);
});

it('forgets the private values of a run when it ends', async () => {
  const bench = new SessionBench({ planner: script() });
  const matcher = createValueMatcher([{ name: 'card', value: 'tok_4711' }]);
  const record = await bench.manager.start(
    { sessionId: 's', projectId: 'p', keyId: 'k', labels: {}, sentValues: { matcher, characters: 8 } },
    SessionRequestSchema.parse(go),
  );
  expect(bench.manager.valuesOf(record)).toBe(matcher);
  expect(JSON.stringify(record)).not.toContain('4711');
  await bench.post('s', (await bench.call('s', 'b')).id, 1);
  await bench.final('s');
  await expect.poll(() => bench.manager.valuesOf(record)).toBe('gone');
});

it('whenIdle() also waits for runs started in the meantime', async () => {
  const bench = new SessionBench({ planner: script() });
  const finishRun = async (id: string) => {
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    await bench.final(id);
  };
  const first = await bench.start(go);
  let isIdle = false;
  const idle = bench.manager.whenIdle(new AbortController().signal).then(() => (isIdle = true));
  const second = await bench.start(go);
  await finishRun(first);
  await expect.poll(() => bench.manager.activeCount('p')).toBe(1);
  await settle();
  expect(isIdle).toBe(false);
  await finishRun(second);
  await idle;
});
