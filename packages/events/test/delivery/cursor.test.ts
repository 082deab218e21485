import { describe, expect, it } from 'vitest';
import { isKnownId, startingPoint } from '../../src/delivery/cursor.js';
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

describe('startingPoint', () => {
  it.each([
    ['starts with this turn without a cursor', undefined, 100, { afterSeq: 5, skippedParts: 0 }],
    ['starts with this turn if the cursor is empty', '', 100, { afterSeq: 5, skippedParts: 0 }],
    [
      'starts with the oldest shown entry if the turn began earlier',
      undefined,
      2,
      { afterSeq: 8, skippedParts: 0 },
    ],
    ['starts after the cursor', 'a-4', 100, { afterSeq: 4, skippedParts: 0, cursor: 'a-4' }],
    ['starts after the newest entry', 'b-10', 100, { afterSeq: 10, skippedParts: 0, cursor: 'b-10' }],
    ['resumes with the oldest stored entry', 'a-2', 100, { afterSeq: 2, skippedParts: 0, cursor: 'a-2' }],
    ['resumes with the oldest shown entry', 'b-8', 2, { afterSeq: 8, skippedParts: 0, cursor: 'b-8' }],
    [
      'starts after the last entry of an earlier writer',
      'a-5',
      100,
      { afterSeq: 5, skippedParts: 0, cursor: 'a-5' },
    ],
    [
      'starts before the first entry of a writer',
      'b-5',
      100,
      { afterSeq: 5, skippedParts: 0, cursor: 'b-5' },
    ],
    ['starts within an entry', 'b-8.2', 100, { afterSeq: 7, skippedParts: 2, cursor: 'b-8.2' }],
    [
      'starts within the oldest stored entry',
      'a-3.1',
      100,
      { afterSeq: 2, skippedParts: 1, cursor: 'a-3.1' },
    ],
    [
      'reports a gap if the next entry is gone',
      'a-1',
      100,
      { afterSeq: 2, skippedParts: 0, ...gap('evicted', 'a-1') },
    ],
    [
      'reports a gap if the rest of the entry is gone',
      'a-2.1',
      100,
      { afterSeq: 2, skippedParts: 0, ...gap('evicted', 'a-2.1') },
    ],
    [
      'reports a gap if the next entry is no longer shown',
      'b-7',
      2,
      { afterSeq: 8, skippedParts: 0, ...gap('evicted', 'b-7') },
    ],
    [
      'reports a gap for an entry after the end of its writer',
      'a-6',
      100,
      { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'a-6') },
    ],
    [
      'reports a gap for an entry before the start of its writer',
      'b-4',
      100,
      { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'b-4') },
    ],
    [
      'reports a gap for an unknown writer',
      'c-5',
      100,
      { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'c-5') },
    ],
    [
      'reports a gap for an entry that does not exist yet',
      'b-11',
      100,
      { afterSeq: 5, skippedParts: 0, ...gap('epoch', 'b-11') },
    ],
    [
      'reports a gap for a malformed cursor',
      'x y',
      100,
      { afterSeq: 5, skippedParts: 0, ...gap('unknown', 'x y') },
    ],
  ])('%s', (_, cursor, maxHistory, expected) => {
    expect(startingPoint(status, cursor, maxHistory)).toEqual(expected);
  });

  it('starts with the first entry if no turn has started or the session is unknown', () => {
    expect(startingPoint({ ...status, turnSeq: 0 }, undefined, 100).afterSeq).toBe(2);
    expect(startingPoint(undefined, undefined, 100)).toEqual({ afterSeq: 0, skippedParts: 0 });
    expect(startingPoint(undefined, 'a-1', 100)).toEqual({
      afterSeq: 0,
      skippedParts: 0,
      ...gap('epoch', 'a-1'),
    });
  });

  it('quotes at most 256 characters of a cursor', () => {
    expect(startingPoint(status, 'x'.repeat(1000), 100).gap?.requestedId).toBe('x'.repeat(256));
  });
});

it('recognizes an id only if its writer wrote that entry, or the one after it as its first', () => {
  for (const id of ['a-5', 'b-5', 'b-6', 'b-10']) expect(isKnownId(status, id)).toBe(true);
  for (const id of ['a-6', 'b-4', 'b-11', 'c-5', 'c-6', 'x y']) expect(isKnownId(status, id)).toBe(false);
  expect(isKnownId(undefined, 'a-5')).toBe(false);
});
