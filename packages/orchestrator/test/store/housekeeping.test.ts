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

it('removes runs that ended longer ago than the retention time, and keeps newer ones', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const startMs = clock.nowMs();
  const run = { projectId: 'p', keyId: 'k', labels: {}, request: {}, owner: 'o', nowMs: startMs, leaseMs: 0 };
  for (const [sessionId, endedAtMs] of [
    ['old', startMs + 598_999],
    ['new', startMs + 599_000],
  ] as const) {
    await store.createRun({ ...run, sessionId });
    await store.append(sessionId, { entries: [], nowMs: endedAtMs, ends: true });
  }
  const swept = Promise.withResolvers<void>();
  const memory = { sweep: async () => swept.resolve() };
  const onError = (error: unknown) => swept.reject(error);
  const housekeeping = new Housekeeping({ store, memory, clock, retentionMs: 1000, onError });
  housekeeping.open();
  clock.advance(600_000);
  await swept.promise;
  expect(await store.readRun('old')).toBeUndefined();
  expect(await store.readRun('new')).toBeDefined();
  housekeeping.close();
});
