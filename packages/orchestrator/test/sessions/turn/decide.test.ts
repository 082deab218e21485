import { SessionRequestSchema, type JournalEntry } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { compileFacts } from '../../../src/sessions/record/compile-facts.js';
import { decide } from '../../../src/sessions/turn/decide.js';
import { entryOf, eventEntry } from '../../../src/sessions/record/session-record.js';
import {
  applyRecord,
  createSessionState,
  type SessionState,
} from '../../../src/sessions/record/session-state.js';
import { SystemToolbox } from '../../../src/system-tools/system-toolbox.js';
import { request, toolSpec } from '../../support/requests.js';

const T0 = Date.UTC(2026, 0, 1);
const toolTimeoutMs = 60_000;
const runTimeoutMs = 3_600_000;

const facts = compileFacts({
  record: { sessionId: 'sess_1', projectId: 'p', createdAtMs: T0 },
  request: SessionRequestSchema.parse(
    request('go', [toolSpec('b'), toolSpec('c')], { execution_config: {} }),
  ),
  earlier: [],
  toolbox: new SystemToolbox([]),
  limits: { maxCycles: 10, runTimeoutMs, toolTimeoutMs, checkpointTtlMs: 600_000 },
});

/** Returns the state of a journal whose entries were all written at T0. */
function stateOf(...entries: JournalEntry[]): SessionState {
  const state = createSessionState('s');
  entries.forEach((entry, index) => applyRecord(state, { ...entry, seq: index + 1, atMs: T0 }));
  return state;
}

const decideAt = (
  nowMs: number,
  state: SessionState,
  more: { maxEvents?: number; takenOverAtMs?: number } = {},
) =>
  decide({
    state,
    facts,
    nowMs,
    takenOverAtMs: more.takenOverAtMs,
    newId: () => 'id',
    limits: { maxEvents: more.maxEvents ?? 100, maxRejectedSteps: 3 },
  });

const started = eventEntry('session_start', {}, { key: 'session_start' });
const calls = [
  entryOf('step', {
    number: 1,
    step: {
      type: 'call',
      calls: [
        { tool_id: 't-b', args: {} },
        { tool_id: 't-c', args: {} },
      ],
    },
    call_ids: ['b', 'c'],
  }),
  entryOf('call', { call_id: 'b', expires_at_ms: T0 + 10_000 }),
  entryOf('call', { call_id: 'c', expires_at_ms: T0 + 20_000 }),
];
const answered = (call_id: string) =>
  entryOf('outcome', { call_id, outcome: { status: 'ok', result: 1 }, cause: 'posted' });

describe('wakeAtMs', () => {
  it('is the expiry of the first open call, ignoring calls that have ended', () => {
    expect(decideAt(T0, stateOf(started, ...calls)).wakeAtMs).toBe(T0 + 10_000);
    // A time in the past would wake the run over and over.
    expect(decideAt(T0 + 15_000, stateOf(started, ...calls, answered('b'))).wakeAtMs).toBe(T0 + 20_000);
  });

  it('is the expiry of the first open question, ignoring answered questions', () => {
    const question = (question_id: string) => ({ question_id, prompt: '?', input_type: 'text' }) as const;
    const questions = [question('one'), question('two')];
    const checkpoint = (question_id: string, expires_at_ms: number) =>
      entryOf('checkpoint', {
        ...question(question_id),
        checkpoint_id: question_id,
        data_key: question_id,
        step_number: 1,
        args_digest: '',
        expires_at_ms,
      });
    const state = stateOf(
      started,
      entryOf('step', { number: 1, step: { type: 'ask', questions }, call_ids: [] }),
      checkpoint('one', T0 + 10_000),
      checkpoint('two', T0 + 20_000),
      entryOf('answer', { checkpoint_id: 'one', value: 'yes', cause: 'posted' }),
    );
    expect(decideAt(T0 + 15_000, state).wakeAtMs).toBe(T0 + 20_000);
  });

  it('is the deadline of the run when that comes first', () => {
    const late = entryOf('call', { call_id: 'b', expires_at_ms: T0 + 2 * runTimeoutMs });
    const [step] = calls;
    if (!step) throw new Error('no step');
    expect(decideAt(T0, stateOf(started, step, late, answered('c'))).wakeAtMs).toBe(T0 + runTimeoutMs);
  });
});

it('ends a run that has reached the event limit', () => {
  const state = stateOf(started, eventEntry('enrichment', {}));
  expect(decideAt(T0, state, { maxEvents: 1 }).end).toMatchObject({
    message: 'The run has 2 events; the limit is 1.',
  });
  expect(decideAt(T0, state, { maxEvents: 2 }).end).toMatchObject({ code: 'RUN_TOO_LONG' });
  expect(decideAt(T0, state, { maxEvents: 3 }).end).toBeUndefined();
});

it('restarts the timeout of open calls after a takeover, but not of answered ones', () => {
  const takenOverAtMs = T0 + 15_000;
  const state = stateOf(started, ...calls, answered('b'));
  expect(decideAt(takenOverAtMs, state, { takenOverAtMs }).entries).toMatchObject([
    { kind: 'wait', data: { call_id: 'c', expires_at_ms: takenOverAtMs + toolTimeoutMs } },
  ]);
});

describe('the status of a run', () => {
  const done = [started, entryOf('step', { number: 1, step: { type: 'call', calls: [] }, call_ids: [] })];
  const ask = { type: 'ask', questions: [{ question_id: 'q', prompt: '?', input_type: 'text' }] } as const;

  it.each<[string, string, SessionState]>([
    ['running', 'it begins', stateOf()],
    ['running', 'the next step is planned', stateOf(...done)],
    ['waiting_for_tools', 'calls are sent', stateOf(started, ...calls.slice(0, 1))],
    [
      'waiting_for_tools',
      'the user is asked',
      stateOf(started, entryOf('step', { number: 1, step: ask, call_ids: [] })),
    ],
  ])('is %s when %s', (status, _when, state) => {
    expect(decideAt(T0, state)).toMatchObject({ status, entries: expect.anything() });
  });
});
