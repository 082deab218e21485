import { expect, it } from 'vitest';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { request, toolSpec } from '../../support/requests.js';
import { SessionBench } from '../../support/session-bench.js';
import { replicas, script } from '../replicas.js';

const go = request('go', [toolSpec('b')]);
const tickMs = 5_000;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store that lists a new run before `createRun` resolves. */
class SlowStore extends MemoryRunStore {
  readonly entered = Promise.withResolvers<void>();
  readonly stored = Promise.withResolvers<void>();
  readonly listed = Promise.withResolvers<void>();

  override async createRun(run: Parameters<MemoryRunStore['createRun']>[0]) {
    const record = await super.createRun(run);
    this.entered.resolve();
    await this.stored.promise;
    return record;
  }

  override async listRuns(query: Parameters<MemoryRunStore['listRuns']>[0]) {
    const found = await super.listRuns(query);
    // The lease keeper examines the list before the next turn of the event loop.
    if (found.length > 0) setImmediate(this.listed.resolve);
    return found;
  }
}

it('does not mistake a run that is still being stored for an abandoned one', async () => {
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const bench = new SessionBench({ planner: script(), store, clock });
  await bench.manager.open();
  const starting = bench.start(go);
  await store.entered.promise;
  clock.advance(tickMs);
  await store.listed.promise;
  store.stored.resolve();
  const id = await starting;
  await bench.post(id, (await bench.call(id, 'b')).id, 1);
  expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  expect(await store.readRun(id)).toMatchObject({ epoch: 1 });
});

it('takes over no run of a process that works, if its clock is ahead by half a lease', async () => {
  const store = new MemoryRunStore();
  const open = async (owner: string, aheadMs: number) => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1) + aheadMs);
    const bench = new SessionBench({ planner: script(), store, clock, owner });
    await bench.manager.open();
    return bench;
  };
  const one = await open('one', 0);
  const two = await open('two', 7_400);
  // It now looks for runs just before the other one renews its leases.
  two.clock.advance(100);
  const id = await one.start(go);
  const { id: callId } = await one.call(id, 'b');
  for (let passedMs = 0; passedMs < 40_000; passedMs += 100) {
    for (const { clock } of [two, one]) clock.advance(100);
    await turn();
  }
  expect(await store.readRun(id)).toMatchObject({ epoch: 1 });
  await one.post(id, callId, 1);
  expect(await one.final(id)).toMatchObject({ status: 'completed' });
});

it('releases a run that was still being stored when it closed', async () => {
  const [store, clock] = [new SlowStore(), new ManualClock()];
  const one = new SessionBench({ planner: script(), store, clock, owner: 'one', isMortal: true });
  const starting = one.start(go);
  await store.entered.promise;
  await one.manager.close();
  store.stored.resolve();
  const id = await starting;
  expect(one.manager.activeCount('p')).toBe(0);
  const two = new SessionBench({ planner: script(), store, clock, owner: 'two' });
  await two.manager.open();
  await two.post(id, (await two.call(id, 'b')).id, 1);
  expect(await two.final(id)).toMatchObject({ status: 'completed' });
});

it('finishes closing only after it has released the run that it was taking over', async () => {
  const { store, one, two } = replicas();
  const id = await one.start(go);
  await one.call(id, 'b');
  await one.manager.close();
  const claim = store.claimRun.bind(store);
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.claimRun = async (...given) => {
    asked.resolve();
    await answer.promise;
    return claim(...given);
  };
  const opening = two.manager.open();
  await asked.promise;
  let isClosed = false;
  const closing = two.manager.close().then(() => (isClosed = true));
  await turn();
  expect(isClosed).toBe(false);
  answer.resolve();
  await Promise.all([opening, closing]);
  expect(await store.readRun(id)).toMatchObject({ owner: 'two', leaseUntilMs: 0 });
});

it('leaves no timer behind when it is closed, even while it renews its leases', async () => {
  const bench = new SessionBench({ planner: script() });
  await bench.manager.open();
  expect(bench.clock.waiting).toBe(1);
  await bench.manager.close();
  expect(bench.clock.waiting).toBe(0);

  const other = new SessionBench({ planner: script() });
  await other.manager.open();
  other.clock.advance(tickMs);
  await other.manager.close();
  await turn();
  expect(other.clock.waiting).toBe(0);
});

it('leaves no timer behind when it fails to list abandoned runs', async () => {
  const store = new MemoryRunStore();
  store.listRuns = () => Promise.reject(new Error('The store is away.'));
  const bench = new SessionBench({ planner: script(), store });
  await expect(bench.manager.open()).rejects.toThrow('The store is away.');
  expect(bench.clock.waiting).toBe(0);
});

it('leaves no timer behind when it fails to list abandoned runs during a tick', async () => {
  const store = new MemoryRunStore();
  const listing = Promise.withResolvers<[]>();
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.listRuns = () => listing.promise;
  const bench = new SessionBench({ planner: script(), store });
  const opening = bench.manager.open();
  opening.catch(() => {});
  await expect.poll(() => bench.clock.waiting).toBe(1);
  store.renewLeases = async () => {
    asked.resolve();
    await answer.promise;
  };
  bench.clock.advance(tickMs);
  await asked.promise;
  listing.reject(new Error('The store is away.'));
  await expect(opening).rejects.toThrow('The store is away.');
  answer.resolve();
  await turn();
  expect(bench.clock.waiting).toBe(0);
});

it('reports once that the store does not answer, and renews its leases when it does', async () => {
  const store = new MemoryRunStore();
  const answer = Promise.withResolvers<void>();
  const bench = new SessionBench({ planner: script(), store });
  const renew = store.renewLeases.bind(store);
  store.renewLeases = async (...given) => {
    await answer.promise;
    return renew(...given);
  };
  const opening = bench.manager.open();
  bench.clock.advance(14_999);
  expect(bench.errors).toEqual([]);
  bench.clock.advance(60_000);
  expect(bench.errors).toMatchObject([{ code: 'STORE_UNAVAILABLE', details: { waited_ms: 15_000 } }]);
  answer.resolve();
  await opening;
  expect(bench.clock.waiting).toBe(1);
});
