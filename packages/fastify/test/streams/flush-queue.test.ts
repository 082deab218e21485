import { expect, it } from 'vitest';
import { FlushQueue } from '../../src/streams/flush-queue.js';

const turn = () => Promise.resolve();

it('flushes each once after what runs now, however often it asked', async () => {
  const queue = new FlushQueue();
  const flushed: string[] = [];
  const one = { flush: () => void flushed.push('one') };
  const other = { flush: () => void flushed.push('other') };
  queue.add(one);
  queue.add(other);
  queue.add(one);
  expect(flushed).toEqual([]);
  await turn();
  expect(flushed).toEqual(['one', 'other']);
  queue.add(one);
  await turn();
  expect(flushed).toEqual(['one', 'other', 'one']);
});

it('takes who asks while it flushes for the next time', async () => {
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
