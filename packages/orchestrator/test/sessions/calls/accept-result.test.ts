import { expect, it } from 'vitest';
import { acceptResult } from '../../../src/sessions/calls/accept-result.js';
import { readSessionState } from '../../../src/sessions/record/find-session.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

it('refuses a repeated result as a duplicate, even if the first one has not been read by its run yet', async () => {
  const planner = scriptedPlanner([call(['t-a'], ['t-b'])]);
  const bench = new SessionBench({ planner });
  const { store, clock } = bench;
  const sessionId = await bench.start(request('go', [toolSpec('a'), toolSpec('b')]));
  const { id } = await bench.call(sessionId, 'a');
  const lagging = await readSessionState(store, sessionId);
  const post = () =>
    acceptResult(
      { tool_event_id: id, status: 'ok', result: 1 },
      { store, sessionId, nowMs: clock.nowMs(), readState: async () => lagging },
    );
  expect(await post()).toEqual({ accepted: true });
  expect(await post()).toEqual({ accepted: false, reason: 'duplicate' });
});
