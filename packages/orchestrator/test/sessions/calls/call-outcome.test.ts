import { expect, it } from 'vitest';
import { callOutcome } from '../../../src/sessions/calls/call-outcome.js';

const failed = (code: string, message: string) => ({ status: 'error', error: { code, message } });

it.each([
  [true, { retryable: true }],
  [false, { retryable: false }],
  [null, {}],
  [undefined, {}],
])('keeps the retryable flag of a failure: %s', (retryable, kept) => {
  const error = { code: 'BUSY', message: 'later', retryable };
  expect(callOutcome({ tool_event_id: 'c', status: 'error', error }, false)).toEqual({
    status: 'error',
    error: { code: 'BUSY', message: 'later', ...kept },
  });
});

it.each<[string, unknown, boolean, object]>([
  ['nothing, for a tool', undefined, false, { status: 'ok', result: null }],
  ['nothing, for an agent', null, true, failed('AGENT_FAILED', 'The agent gave no answer.')],
  ['an error without a message', 'error:', false, failed('TOOL_FAILED', 'The tool failed.')],
  ['an error of unknown shape', { error: { reason: 7 } }, false, failed('TOOL_FAILED', '{"reason":7}')],
  [
    'an error that is null',
    { error: null, rows: 1 },
    false,
    { status: 'ok', result: { error: null, rows: 1 } },
  ],
  ['a string that contains "error:"', 'no error: fine', false, { status: 'ok', result: 'no error: fine' }],
])('reads a result without a status: %s', (_, result, isAgent, outcome) => {
  expect(callOutcome({ tool_event_id: 'c', result }, isAgent)).toEqual(outcome);
});
