import { expect, it } from 'vitest';
import { Quota } from '../../src/ingress/quota.js';
import { readOptions } from '../../src/options.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { ManualClock } from '../support/manual-clock.js';

it('asks to retry after the rest of the minute, and starts a new count in the next one', async () => {
  const clock = new ManualClock();
  const { limits } = readOptions({ limits: { startsPerMinute: 1 } });
  const quota = new Quota(new MemoryRunStore(), clock, limits);
  clock.advance(45_000);
  await quota.take('p');
  await expect(quota.take('p')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfterS: 15 });
  clock.advance(15_000);
  await quota.take('p');
});
