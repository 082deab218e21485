import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FlushQueue } from '../../src/streams/flush-queue.js';

const turn = () => Promise.resolve();

it('flushes each writer once in the next microtask, however often it was added', async () => {
  const flushed: string[] = [];
  const queue = new FlushQueue(() => flushed.push('all'));
  const one = { flush: () => void flushed.push('one') };
  const other = { flush: () => void flushed.push('other') };
  queue.add(one);
  queue.add(other);
  queue.add(one);
  expect(flushed).toEqual([]);
  await turn();
  expect(flushed).toEqual(['one', 'other', 'all']);
  queue.add(one);
  await turn();
  expect(flushed).toEqual(['one', 'other', 'all', 'one', 'all']);
});

it('flushes a writer that is added during a flush in the next one', async () => {
  const queue = new FlushQueue();
  let count = 0;
  const again = {
    flush: () => {
      count += 1;
      if (count < 3) queue.add(again);
    },
  };
  queue.add(again);
  await turn();
  expect(count).toBe(1);
  await turn();
  await turn();
  expect(count).toBe(3);
});

it('releases flushed writers without a full garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');
  const queue = new FlushQueue();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 300; round += 1) {
    const ballast = Array.from({ length: 8_000 }, () => round);
    queue.add({ flush: () => void ballast.length });
    await turn();
    if (round % 5 === 0) collect({ type: 'minor' });
  }
  collect({ type: 'minor' });
  // All flushed writers together hold about 20 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
});
