import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SessionRequestSchema, type NewRun, type RunStore } from '@svc/contracts/orchestrator';
import { createValueMatcher } from '@svc/redaction';
import { expect, it, onTestFinished } from 'vitest';
import { decodeEvent } from '../../../src/sessions/record/decode-record.js';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { newFolder } from '../../support/new-folder.js';
import { ManualClock } from '../../support/manual-clock.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const go = request('go', [toolSpec('b')]);
const script = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const tickMs = 5000;

/** Counts the calls of `follow`, and fails them while `failure` is set. */
class FollowedStore extends MemoryRunStore {
  follows = 0;
  failure: unknown;

  override async *follow(...given: Parameters<MemoryRunStore['follow']>) {
    this.follows += 1;
    if (this.failure !== undefined) throw this.failure;
    yield* super.follow(...given);
  }
}

const abandonedRun = (sessionId: string, nowMs: number): NewRun => {
  const request = JSON.parse(JSON.stringify(SessionRequestSchema.parse(go)));
  return { sessionId, projectId: 'p', keyId: 'k', labels: {}, request, owner: 'x', nowMs, leaseMs: 0 };
};

/** Stores a run whose journal contains an entry that no loop can read. */
async function poisonedRun(store: MemoryRunStore, threadId?: string) {
  const request = JSON.parse(JSON.stringify(SessionRequestSchema.parse(go)));
  const run = { sessionId: 'sess_bad', projectId: 'p', keyId: 'k', labels: {}, nowMs: 0, leaseMs: 0 };
  await store.createRun({ ...run, owner: 'x', request, ...(threadId === undefined ? {} : { threadId }) });
  const entries = [{ kind: 'step', data: { number: 1, step: null, call_ids: ['secret-4711'] } }];
  await store.append('sess_bad', { entries, nowMs: 0 });
}

/** Waits until no run is active and the event loop has turned a few times. */
async function settled({ manager }: SessionBench): Promise<void> {
  await expect.poll(() => manager.activeCount('p')).toBe(0);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the clock by one tick and waits for its effects. */
async function tick(bench: SessionBench): Promise<void> {
  await settled(bench);
  bench.clock.advance(tickMs);
  await settled(bench);
}

async function finals({ store }: SessionBench, sessionId: string) {
  const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 1000 });
  return records
    .filter(({ kind }) => kind === 'event')
    .map((record) => decodeEvent(sessionId, record)?.data)
    .filter((data) => JSON.stringify(data).includes('"final"'));
}

it('retries a failing loop with growing delays, then ends the run with RUN_BROKEN', async () => {
  const store = new FollowedStore();
  await poisonedRun(store, 'thr');
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await bench.manager.open();
  const attempts: number[] = [];
  for (let number = 0; number < 12; number += 1) {
    await tick(bench);
    attempts.push(store.follows);
  }
  expect(attempts).toEqual([2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4]);
  const [final, ...others] = await finals(bench, 'sess_bad');
  expect(others).toEqual([]);
  expect(final).toMatchObject({
    payload: {
      session_id: 'sess_bad',
      thread_id: 'thr',
      started_at: '1970-01-01T00:00:00.000Z',
      status: 'failed',
      error_info: { code: 'RUN_BROKEN' },
      responses: [],
      result: null,
    },
  });
  expect(JSON.stringify(final)).not.toMatch(/4711|TypeError|null \(/);
  expect(await store.readRun('sess_bad')).toMatchObject({ status: 'failed', endedAtMs: expect.any(Number) });
  expect(bench.errors).toEqual([
    expect.objectContaining({ code: 'RUN_UNREADABLE', details: { session_id: 'sess_bad' } }),
  ]);
  expect(await bench.metrics.render('p')).toMatch(/sessions_ended_total\{[^}]*code="RUN_BROKEN"[^}]*\} 1/);
});

it('does not count store failures as failed attempts, however long they last', async () => {
  const store = new FollowedStore();
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  store.failure = new Error('The store is away.');
  await bench.manager.open();
  const id = await bench.start(go);
  for (let number = 0; number < 12; number += 1) await tick(bench);
  expect(store.follows).toBeGreaterThan(10);
  expect(new Set(bench.errors)).toEqual(new Set([store.failure]));
  store.failure = undefined;
  bench.clock.advance(tickMs);
  await bench.post(id, (await bench.call(id, 'b')).id, 1);
  expect(await bench.final(id)).toMatchObject({ status: 'completed' });
});

it('keeps the private values of a run between attempts, and drops them when it ends', async () => {
  const store = new FollowedStore();
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  const matcher = createValueMatcher([{ name: 'pin', value: 'secret-4711' }]);
  await bench.manager.open();
  store.failure = new Error('The store is away.');
  const record = await bench.manager.start(
    { sessionId: 's', projectId: 'p', keyId: 'k', labels: {}, sentValues: { matcher, characters: 11 } },
    SessionRequestSchema.parse(go),
  );
  await settled(bench);
  expect(bench.manager.valuesOf(record)).toBe(matcher);
  store.failure = new TypeError('of the run itself');
  await tick(bench);
  expect(bench.manager.valuesOf(record)).toBe(matcher);
  store.failure = undefined;
  bench.clock.advance(tickMs);
  await bench.post('s', (await bench.call('s', 'b')).id, 1);
  await bench.final('s');
  await settled(bench);
  expect(bench.manager.valuesOf(record)).toBe('gone');
});

it('takes over the other runs when one is unreadable, which it reports once and leaves unchanged', async () => {
  const path = join(await newFolder(), 'runs.db');
  const store = sqliteRunStore({ path });
  onTestFinished(() => store.close());
  for (const [index, id] of ['older', 'bad', 'newer'].entries())
    await store.createRun(abandonedRun(id, index));
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  const setLabels = database.prepare('UPDATE runs SET labels = ? WHERE session_id = ?');
  setLabels.run('{"secret-4711', 'bad');

  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await bench.manager.open();
  for (const id of ['older', 'newer']) {
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  }
  for (let number = 0; number < 12; number += 1) await tick(bench);
  expect(bench.errors).toEqual([expect.objectContaining({ code: 'RUN_UNREADABLE' })]);
  expect(bench.failed).toEqual(['bad']);
  await bench.manager.close();

  setLabels.run('{}', 'bad');
  const next = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await next.manager.open();
  await next.post('bad', (await next.call('bad', 'b')).id, 1);
  expect(await next.final('bad')).toMatchObject({ status: 'completed' });
});

it('aborts a round of takeovers when the store fails, and starts over in the next one', async () => {
  const store = new MemoryRunStore();
  for (const [index, id] of ['older', 'newer'].entries()) await store.createRun(abandonedRun(id, index));
  const claims: string[] = [];
  const claim = store.claimRun.bind(store);
  const failure = new Error('The store is away.');
  store.claimRun = async (id, given) => {
    claims.push(id);
    if (claims.length < 3) throw failure;
    return claim(id, given);
  };
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await expect(bench.manager.open()).rejects.toBe(failure);
  await bench.manager.open().catch(() => undefined);
  expect(claims).toEqual(['newer', 'newer']);
  await bench.manager.open();
  expect(claims).toEqual(['newer', 'newer', 'newer', 'older']);
});

it('does not end an unreadable run that another process has taken over', async () => {
  const store = new MemoryRunStore();
  await store.createRun({ ...abandonedRun('lost', 0), request: 'of another release' });
  const claim = store.claimRun.bind(store);
  store.claimRun = async (id, given) => {
    const record = await claim(id, given);
    await claim(id, { ...given, owner: 'other', nowMs: given.nowMs + given.leaseMs });
    return record;
  };
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await bench.manager.open();
  expect(bench.failed).toEqual(['lost']);
  expect(await store.readRun('lost')).toMatchObject({ owner: 'other', status: 'pending' });
  expect(await finals(bench, 'lost')).toEqual([]);
  expect(await bench.metrics.render('p')).not.toContain('RUN_LOST');
});

it('does not count a lost connection as a failed attempt, even if it is a TypeError, as from fetch', async () => {
  const store = new FollowedStore();
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  store.failure = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
  await bench.manager.open();
  const id = await bench.start(go);
  for (let number = 0; number < 12; number += 1) await tick(bench);
  expect(await finals(bench, id)).toEqual([]);
});

it('ends a run with RUN_BROKEN when a turn of its thread is malformed', async () => {
  const store = new MemoryRunStore();
  await poisonedRun(store, 'thr');
  const place = { projectId: 'p', collection: 'thread:thr', id: 'sess_old' };
  await store.putDocument({ ...place, value: { messages: 'of another release' }, nowMs: 0 });
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await bench.manager.open();
  for (let number = 0; number < 12; number += 1) await tick(bench);
  expect(await finals(bench, 'sess_bad')).toMatchObject([
    { payload: { error_info: { code: 'RUN_BROKEN' } } },
  ]);
  expect(bench.errors).toHaveLength(1);
});

const unreadable = {
  type: 'finish',
  get text() {
    throw new Error('secret-4711');
  },
};

it.each([
  ['a value that is not JSON', { type: 'call', calls: [{ tool_id: 't-b', args: { n: 1n } }] }, 'JSON'],
  ['an object that cannot be read', unreadable, 'JSON'],
  ['undefined', undefined, '(root)'],
  ['an unknown step', { type: 'other' }, 'type'],
])('ends a run at once when its planner returns %s', async (_, step, named) => {
  const bench = new SessionBench({ planner: { name: 'odd', next: async () => step as never } });
  const final = await bench.final(await bench.start(go));
  const message = expect.stringContaining(named);
  expect(final).toMatchObject({ status: 'failed', error_info: { code: 'PLANNER_INVALID_STEP', message } });
  expect(JSON.stringify(final)).not.toContain('4711');
});

const oddErrors: [string, unknown][] = [
  ['undefined', undefined],
  ['a string', 'secret-4711'],
  ['an error whose stack is not a string', Object.assign(new Error('secret-4711'), { stack: 7 })],
];

it.each(oddErrors)('ends a run at once when its planner throws %s', async (_, thrown) => {
  const next = async () => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is what is tested
    throw thrown;
  };
  const bench = new SessionBench({ planner: { name: 'odd', next } });
  const final = await bench.final(await bench.start(go));
  expect(final).toMatchObject({ status: 'failed', error_info: { code: 'PLANNER_FAILED' } });
  expect(JSON.stringify(final)).not.toContain('4711');
});

it('ends a run with RUN_BROKEN when its planner throws an object that cannot be inspected', async () => {
  const look = () => {
    throw new Error('secret-4711');
  };
  const thrown: unknown = new Proxy({}, { has: look, get: look });
  const next = async () => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is what is tested
    throw thrown;
  };
  const bench = new SessionBench({ planner: { name: 'odd', next } });
  await bench.manager.open();
  const id = await bench.start(go);
  for (let number = 0; number < 12; number += 1) await tick(bench);
  const ended = await finals(bench, id);
  expect(ended).toMatchObject([{ payload: { error_info: { code: 'RUN_BROKEN' } } }]);
  expect(JSON.stringify(ended)).not.toContain('4711');
});

/** A store that can lose what it has acknowledged. */
function forgetfulStore() {
  let current = new MemoryRunStore();
  const store = new Proxy<RunStore>(current, {
    get(_first, name) {
      const member: unknown = Reflect.get(current, name);
      return typeof member === 'function' ? member.bind(current) : member;
    },
  });
  const loseAllBut = async (limit: number, sessionId: string, nowMs: number) => {
    const restored = new MemoryRunStore();
    await restored.createRun({ ...abandonedRun(sessionId, nowMs), owner: 'bench' });
    const entries = await current.readJournal(sessionId, { afterSeq: 0, limit });
    await restored.append(sessionId, { entries, nowMs });
    current = restored;
  };
  return { store, loseAllBut };
}

it('continues a run from its journal when the store has lost acknowledged entries', async () => {
  const { store, loseAllBut } = forgetfulStore();
  const bench = new SessionBench({ planner: script(), store, clock: new ManualClock() });
  await bench.manager.open();
  const sessionId = await bench.start(go);
  const lost = await bench.call(sessionId, 'b');
  await loseAllBut(2, sessionId, bench.clock.nowMs());
  expect(await bench.post(sessionId, lost.id, 1)).toEqual({ accepted: false, reason: 'unknown' });
  // The call that only this process remembers expires, which causes its next write.
  bench.clock.advance(60_000);
  await tick(bench);
  const again = await bench.call(sessionId, 'b');
  expect(await bench.post(sessionId, again.id, 1)).toEqual({ accepted: true });
  expect(await bench.final(sessionId)).toMatchObject({ status: 'completed', response: 'ok' });
});

it.each([
  ['the call', 2],
  ['its result', 7],
])('does not write a step that was planned before the store lost %s', async (_what, kept) => {
  const { store, loseAllBut } = forgetfulStore();
  const planned = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  const last = async () => {
    isAsked.resolve();
    await planned.promise;
    return finish('ok');
  };
  const planner = scriptedPlanner(() => [call(['t-b']), last]);
  const bench = new SessionBench({ planner, store, clock: new ManualClock() });
  await bench.manager.open();
  const sessionId = await bench.start(go);
  await bench.post(sessionId, (await bench.call(sessionId, 'b')).id, 1);
  await isAsked.promise;
  await loseAllBut(kept, sessionId, bench.clock.nowMs());
  planned.resolve();
  await settled(bench);
  expect(await store.readRun(sessionId)).toMatchObject({ lastSeq: kept });
  await tick(bench);
  expect(await bench.post(sessionId, (await bench.call(sessionId, 'b')).id, 2)).toEqual({ accepted: true });
  expect(await bench.final(sessionId)).toMatchObject({ status: 'completed', response: 'ok' });
  expect(bench.errors).toEqual([]);
});
