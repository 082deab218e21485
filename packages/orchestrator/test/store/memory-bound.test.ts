import { expect, it } from 'vitest';
import { MemoryBound } from '../../src/store/memory-bound.js';

it('what was added before the clock was set back is still dropped when there is no room left', () => {
  const bound = new MemoryBound();
  const dropped: number[] = [];
  const value = 'x'.repeat(40 * 1024 * 1024);
  for (const nowMs of [3_600_000, 0]) bound.add({}, { value, nowMs, drop: () => dropped.push(nowMs) });
  expect(dropped).toEqual([3_600_000]);
});
