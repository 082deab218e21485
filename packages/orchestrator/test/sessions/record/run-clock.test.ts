import { expect, it } from 'vitest';
import { runDeadlineMs } from '../../../src/sessions/record/run-clock.js';
import { createSessionState } from '../../../src/sessions/record/session-state.js';
import type { SessionFacts } from '../../../src/sessions/record/session-facts.js';
import { planContext } from '../../planning/plan-fixtures.js';

const facts: SessionFacts = {
  sessionId: 'sess_1',
  createdAtMs: 0,
  plan: planContext(),
  scope: { type: 'agent' },
  streamsText: false,
  sendsStatus: false,
  runTimeoutMs: 1000,
  toolTimeoutMs: 0,
  checkpointTtlMs: 0,
};

type Wait = readonly [openedAtMs: number, answeredAtMs?: number];

function deadline(waits: readonly Wait[]) {
  const state = createSessionState('s');
  state.openedAtMs = 0;
  waits.forEach(([openedAtMs, answeredAtMs], index) => {
    const checkpoint_id = `c${index}`;
    const asked = {
      checkpoint_id,
      data_key: 'k',
      prompt: '?',
      step_number: 1,
      args_digest: '',
      expires_at_ms: 0,
    };
    const answered = answeredAtMs === undefined ? {} : { answeredAtMs };
    state.checkpoints.set(checkpoint_id, { ...asked, openedAtMs, ...answered });
  });
  return runDeadlineMs(state, facts);
}

it.each<[string, readonly Wait[], number | undefined]>([
  ['no wait', [], 1000],
  ['one wait', [[100, 300]], 1200],
  [
    'two separate waits',
    [
      [100, 300],
      [500, 600],
    ],
    1300,
  ],
  [
    'two overlapping waits',
    [
      [100, 300],
      [200, 500],
    ],
    1400,
  ],
  [
    'two overlapping waits, the later one first',
    [
      [200, 500],
      [100, 300],
    ],
    1400,
  ],
  [
    'a wait inside another, and one that overlaps the outer',
    [
      [100, 500],
      [200, 300],
      [400, 600],
    ],
    1500,
  ],
  ['a wait that is still open', [[100, 300], [200]], undefined],
])('extends the deadline of a run by the time spent waiting for answers: %s', (_, waits, expected) => {
  expect(deadline(waits)).toBe(expected);
});
