import { describe, expect, it } from 'vitest';
import { gaveOut, startingPoint } from '../../src/delivery/cursor.js';
import type { SessionStatus } from '../../src/log/event-log.js';

const status: SessionStatus = {
  epochs: [
    { epoch: 'a', fromSeq: 1 },
    { epoch: 'b', fromSeq: 6 },
  ],
  oldestSeq: 3,
  headSeq: 10,
  turnSeq: 5,
  headKind: 'event',
};
const gap = (reason: string, requestedId: string) => ({ gap: { reason, requestedId } });

describe('where a reader begins', () => {
  it.each([
    ['without a cursor: with this turn', undefined, 100, { afterSeq: 5, skippedParts: 0 }],
    ['with an empty one: the same', '', 100, { afterSeq: 5, skippedParts: 0 }],
    ['where the turn is longer than what is shown', undefined, 2, { afterSeq: 8, skippedParts: 0 }],
    ['behind its cursor', 'a-4', 100, { afterSeq: 4, skippedParts: 0 }],
    ['behind the newest entry', 'b-10', 100, { afterSeq: 10, skippedParts: 0 }],
    ['just before the oldest entry held', 'a-2', 100, { afterSeq: 2, skippedParts: 0 }],
    ['just before the oldest one shown', 'b-8', 2, { afterSeq: 8, skippedParts: 0 }],
    ['behind the last entry of a writer before', 'a-5', 100, { afterSeq: 5, skippedParts: 0 }],
    ['before the first entry of a writer', 'b-5', 100, { afterSeq: 5, skippedParts: 0 }],
    ['within an entry', 'b-8.2', 100, { afterSeq: 7, skippedParts: 2 }],
    ['within the oldest entry held', 'a-3.1', 100, { afterSeq: 2, skippedParts: 1 }],
    ['behind what is gone', 'a-1', 100, { afterSeq: 2, skippedParts: 0, ...gap('evicted', 'a-1') }],
    [
      'within an entry that is gone',
      'a-2.1',
      100,
      { afterSeq: 2, skippedParts: 0, ...gap('evicted', 'a-2.1') },
    ],
    ['behind what is not shown', 'b-7', 2, { afterSeq: 8, skippedParts: 0, ...gap('evicted', 'b-7') }],
    ['with what a writer never wrote', 'a-6', 100, { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'a-6') }],
    ['with what was before a writer', 'b-4', 100, { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'b-4') }],
    ['with what another log wrote', 'c-5', 100, { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'c-5') }],
    ['with what has still to come', 'b-11', 100, { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'b-11') }],
    ['with nothing of ours', 'x y', 100, { afterSeq: 5, skippedParts: 0, ...gap('unknown', 'x y') }],
  ])('%s', (_, cursor, maxHistory, expected) => {
    expect(startingPoint(status, cursor, maxHistory)).toEqual(expected);
  });

  it('in a session that has no turn yet, or is not known', () => {
    expect(startingPoint({ ...status, turnSeq: 0 }, undefined, 100).afterSeq).toBe(2);
    expect(startingPoint(undefined, undefined, 100)).toEqual({ afterSeq: 0, skippedParts: 0 });
    expect(startingPoint(undefined, 'a-1', 100)).toEqual({
      afterSeq: 0,
      skippedParts: 0,
      ...gap('epoch', 'a-1'),
    });
  });

  it('says no more of a cursor than a reader may send', () => {
    expect(startingPoint(status, 'x'.repeat(1000), 100).gap?.requestedId).toBe('x'.repeat(256));
  });
});

it('an id was given out only by the writer of its entry, in this session', () => {
  for (const id of ['a-5', 'b-5', 'b-6', 'b-10']) expect(gaveOut(status, id)).toBe(true);
  for (const id of ['a-6', 'b-4', 'b-11', 'c-5', 'c-6', 'x y']) expect(gaveOut(status, id)).toBe(false);
  expect(gaveOut(undefined, 'a-5')).toBe(false);
});
