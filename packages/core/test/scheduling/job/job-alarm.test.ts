import { expect, it } from 'vitest';
import { getLogger } from '../../../src/logging/logger.js';
import { ManualClock } from '../../../src/scheduling/clock/manual-clock.js';
import { JobAlarm } from '../../../src/scheduling/job/job-alarm.js';

it('wakes again for a moment for which it has already rung', async () => {
  const clock = new ManualClock(0);
  let woken = 0;
  const plan = { clock, keepsAlive: false, leaseMs: undefined, logger: getLogger() };
  const alarm = new JobAlarm(plan, 'owner', () => void (woken += 1));
  for (const times of [1, 2]) {
    alarm.set([], 10);
    await clock.advance(10);
    expect(woken).toBe(times);
  }
});
