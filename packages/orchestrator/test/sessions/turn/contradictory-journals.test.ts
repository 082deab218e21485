import { setImmediate, setTimeout } from 'node:timers/promises';
import type { JsonValue } from '@svc/contracts';
import { SessionRequestSchema, type JournalEntry } from '@svc/contracts/orchestrator';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Planner } from '../../../src/planning/planner.js';
import { entryOf } from '../../../src/sessions/record/session-record.js';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { memberSpec, needs, request, toolSpec } from '../../support/requests.js';
import { call, finish } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const nowMs = Date.UTC(2026, 0, 1);
const go = request('go', [toolSpec('b'), toolSpec('c', {}, { dependencies: [needs('b')] }), memberSpec('m')]);

/** Fails after many appends, so that a run that repeats itself cannot keep the test from ending. */
class BoundedStore extends MemoryRunStore {
  #appends = 0;

  override async append(...given: Parameters<MemoryRunStore['append']>) {
    this.#appends += 1;
    if (this.#appends > 1000) throw new Error('The run repeats itself.');
    return super.append(...given);
  }
}

/** A store with an abandoned run whose journal has these entries. */
async function storeWith(entries: readonly JournalEntry[], asked: object = go): Promise<MemoryRunStore> {
  const store = new BoundedStore();
  const stored = JSON.parse(JSON.stringify(SessionRequestSchema.parse(asked)));
  const run = { sessionId: 's', projectId: 'p', keyId: 'k', labels: {}, request: stored };
  await store.createRun({ ...run, owner: 'gone', nowMs, leaseMs: 0 });
  for (const entry of entries) await store.append('s', { entries: [entry], nowMs });
  return store;
}

/** Resumes the run, with a planner that calls a tool and finishes, in turn. Nobody answers calls or questions. */
async function resume(store: MemoryRunStore, pause: () => Promise<unknown> = () => setImmediate()) {
  let plans = 0;
  const next: Planner['next'] = async () => {
    plans += 1;
    return plans % 3 === 1 ? call(['t-b']) : finish('ok');
  };
  const clock = new ManualClock(nowMs + 1000);
  const bench = new SessionBench({ planner: { name: 'counting', next }, store, clock, isMortal: true });
  await bench.manager.open();
  const isOver = async () => (await store.readRun('s'))?.endedAtMs !== undefined;
  for (let tick = 0; tick < 400 && !(await isOver()); tick += 1) {
    for (let turn = 0; turn < 15; turn += 1) await pause();
    clock.advance(15_000);
  }
  await bench.manager.close();
  const final = (await bench.events('s')).findLast(({ name }) => name === 'final');
  return { isOver: await isOver(), plans, errors: bench.errors, final: final?.payload };
}

const unreadable = [expect.objectContaining({ code: 'RUN_UNREADABLE', details: { session_id: 's' } })];
const broken = { isOver: true, errors: unreadable, final: { error_info: { code: 'RUN_BROKEN' } } };
const other = { kind: 'newer', data: null };
const step = (step: object, call_ids: string[] = [], number = 1) => ({
  kind: 'step',
  data: { number, step, call_ids } as JsonValue,
});

it.each(['step:1', 'final', 'phase:finalizing'])(
  'a run whose journal has lost the record of the key %s ends, and its planner is not asked forever',
  async (key) => {
    const outcome = await resume(await storeWith([{ ...other, key }]));
    expect(outcome).toMatchObject(broken);
    expect(outcome.plans).toBeLessThan(10);
  },
);

it('a run ends although its journal has lost what memory returned', async () => {
  const asking = { ...go, memory_config: { enabled: true } };
  const store = await storeWith([{ ...other, key: 'memory' }], asking);
  // Memory takes real time.
  expect(await resume(store, () => setTimeout(2))).toMatchObject(broken);
});

it.each([
  [
    'two calls with one id',
    [step({ type: 'call', calls: [0, 1].map(() => ({ tool_id: 'nope', args: {} })) }, ['x', 'x'])],
  ],
  ['a call that was sent, but is not recorded', [step(call(['t-b']), ['x']), { ...other, key: 'call:x' }]],
])('a run whose journal has %s ends, rather than wait for a record that never comes', async (_, entries) => {
  expect(await resume(await storeWith(entries))).toMatchObject(broken);
});

it('an open run whose journal says that it has ended is ended', async () => {
  const final = { kind: 'event', data: { name: 'final', payload: {} } };
  expect(await resume(await storeWith([final, other]))).toMatchObject(broken);
});

it('a duplicate that somebody else has just written is not held against the journal', async () => {
  const store = await storeWith([]);
  const append = store.append.bind(store);
  const entry = entryOf('outcome', {
    call_id: 'x',
    outcome: { status: 'ok', result: 1 },
    cause: 'posted',
  });
  // A result arrives between the decision that its time is up and the attempt to write that.
  store.append = async (id, given) => {
    if (given.entries.some(({ key }) => key === entry.key)) {
      store.append = append;
      await append(id, { entries: [entry], nowMs });
    }
    return append(id, given);
  };
  await append('s', {
    entries: [step(call(['t-b']), ['x']), entryOf('call', { call_id: 'x', expires_at_ms: nowMs })],
    nowMs,
  });
  const outcome = await resume(store);
  expect(outcome).toMatchObject({ isOver: true, errors: [] });
});

const one = fc.constantFrom;
const ids = one('c1', 'c2', 'id-1', 'id-2', '__proto__');
const toolIds = one('t-b', 't-c', 't-m', 'unknown', '__proto__');
const checkpointIds = one('s.c1', 's.id-1', 's.id-2');
const keys = one('q1', 'q2', '__proto__');
const timeMs = one(-1e9, -1000, 0, 1000, 1e6).map((offsetMs) => nowMs + offsetMs);
const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 });
const steps = fc.oneof(
  fc.record({
    type: one('call'),
    calls: few(fc.record({ tool_id: toolIds, args: one({}, { prompt: 'x' }) })),
  }),
  fc.record({
    type: one('ask'),
    questions: few(fc.record({ question_id: keys, prompt: one('p'), input_type: one('text') })),
  }),
  one({ type: 'finish', text: 'done' }),
);
const outcomes = one(
  { status: 'ok', result: 1 },
  { status: 'error', error: { code: 'E', message: 'failed' } },
);
const data = {
  event: fc.record({ name: one('update', 'final', 'tool_event'), payload: one({}, { id: 'c1' }) }),
  step: fc.record({ number: one(-1, 0, 1, 1.5, 2, 3, 9), step: steps, call_ids: few(ids) }),
  rejected: fc.record({ number: one(1, 2), step: steps, call_ids: few(ids), problems: one(['no']) }),
  call: fc.record({ call_id: ids, expires_at_ms: timeMs }, { requiredKeys: ['call_id'] }),
  wait: fc.record({ call_id: ids, expires_at_ms: timeMs }),
  nested: fc.record({ call_id: ids, session_id: one('s', 'gone') }),
  outcome: fc.record({
    call_id: ids,
    outcome: outcomes,
    cause: one('posted', 'expired', 'skipped', 'system'),
  }),
  checkpoint: fc
    .tuple(
      fc.record({
        checkpoint_id: checkpointIds,
        data_key: keys,
        prompt: one('p'),
        step_number: one(0, 1, 2),
        args_digest: one('d'),
        expires_at_ms: timeMs,
      }),
      fc.record({ question_id: keys, call_id: ids, arg_name: one('prompt') }, { requiredKeys: [] }),
    )
    .map(([known, more]) => ({ ...known, ...more })),
  answer: fc.record({ checkpoint_id: checkpointIds, value: one(null, 'x'), cause: one('posted', 'expired') }),
  memory: one({ items: [] }),
  cancel: one({ code: 'RUN_CANCELLED', reason: 'enough' }),
  newer: one(null),
} satisfies Record<string, fc.Arbitrary<unknown>>;
const kinds = Object.entries<fc.Arbitrary<unknown>>(data).map(([kind, values]) =>
  // Generated from JSON values only.
  values.map((value) => ({ kind: kind === 'rejected' ? 'step' : kind, data: value as JsonValue })),
);
const takenKeys = one('step:1', 'step:2', 'call:c1', 'outcome:id-1', 'checkpoint:s.id-1', 'memory', 'final');
const journals = fc.array(
  fc
    .tuple(fc.oneof(...kinds), fc.option(takenKeys, { nil: undefined, freq: 5 }))
    .map(([entry, key]): JournalEntry => ({ ...entry, ...(key === undefined ? {} : { key }) })),
  { maxLength: 12 },
);

it('a run whose journal contradicts itself ends in any case, with errors that have a code', async () => {
  const ends = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(journals, async (entries) => {
      const { isOver, plans, errors, final } = await resume(await storeWith(entries));
      ends.add(final?.error_info?.code ?? final?.status);
      expect(isOver).toBe(true);
      expect(plans).toBeLessThan(50);
      for (const error of errors) expect(error).toMatchObject({ code: 'RUN_UNREADABLE' });
    }),
    { numRuns: 100 },
  );
  expect(ends).toContain('completed');
  expect(ends).toContain('RUN_BROKEN');
});
