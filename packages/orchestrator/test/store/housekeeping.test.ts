import { expect, it } from 'vitest';
import { Housekeeping } from '../../src/store/housekeeping.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { ManualClock } from '../support/manual-clock.js';

it('sweeps memory every ten minutes, reports failures and continues until it is closed', async () => {
  const clock = new ManualClock();
  const reported: unknown[] = [];
  let swept = 0;
  const housekeeping = new Housekeeping({
    store: new MemoryRunStore(),
    memory: {
      sweep: async () => {
        swept += 1;
        if (swept === 1) throw new Error('The disk is full.');
      },
    },
    clock,
    retentionMs: 1000,
    onError: (error) => reported.push(error),
  });
  housekeeping.close();
  housekeeping.open();
  clock.advance(599_999);
  expect(clock.waiting).toBe(1);
  clock.advance(1);
  await expect.poll(() => clock.waiting).toBe(1);
  expect([swept, reported]).toMatchObject([1, [{ message: 'The disk is full.' }]]);
  clock.advance(600_000);
  await expect.poll(() => clock.waiting).toBe(1);
  expect([swept, reported.length]).toEqual([2, 1]);
  housekeeping.close();
  expect(clock.waiting).toBe(0);
});
