import { expect, test } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';

const action = (fields: object) => ({
  name: 'update',
  payload: { action_type: 'swarm_agent', action_id: 'act-1', ...fields },
});

test('a failed assignment keeps its error', () => {
  expect(normalizeStreamEvent(action({ status: 'error', error: ' boom ', result: 1 }))).toMatchObject([
    { status: 'failed', error: 'boom', result: null, assignment: { error: 'boom' } },
  ]);
});

test('an assignment that did not fail has no error', () => {
  expect(normalizeStreamEvent(action({ status: 'completed', error: 'old', result: 1 }))).toMatchObject([
    { status: 'completed', error: null, result: 1 },
  ]);
});
