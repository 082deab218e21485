import type { AgentRun } from '@svc/core';
import { EventBridge } from '@svc/events';
import { expect, it } from 'vitest';
import { followRun } from '../../src/runs/follow-run.js';

it.each([
  ['an error', new Error('The connection broke.'), 'The connection broke.'],
  ['something else', 'broken', 'The run could not be followed.'],
])('a run that breaks off with %s ends its turn with an error event', async (_, thrown, message) => {
  const bridge = new EventBridge('s');
  const run = (async function* () {
    yield { name: 'status_message', payload: { message: 'Working' } };
    throw thrown;
  })() as unknown as AgentRun;
  await followRun(run, bridge);
  const events = await bridge.history();
  expect(events.map(({ type }) => type)).toEqual(['status_message', 'error']);
  expect(events.at(-1)?.data).toMatchObject({ error: message });
  await bridge.close();
});
