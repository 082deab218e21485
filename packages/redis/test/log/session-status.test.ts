import { expect, it } from 'vitest';
import { continues, decodeStatus } from '../../src/log/session-status.js';

const session = (headSeq: number, ...starts: [epoch: string, fromSeq: number][]) => ({
  epochs: starts.map(([epoch, fromSeq]) => ({ epoch, fromSeq })),
  oldestSeq: 1,
  headSeq,
  turnSeq: 0,
  headKind: undefined,
});
const before = session(5, ['a', 1], ['b', 4]);

it.each([
  ['does not exist yet', undefined, undefined, 0, true],
  ['does not exist, although some of it was read elsewhere', undefined, undefined, 3, false],
  ['no longer exists', before, undefined, 5, false],
  ['no longer exists, although none of it was read', session(0, ['a', 1]), undefined, 0, false],
  ['is seen for the first time', undefined, before, 0, true],
  ['is seen for the first time by a reader with a cursor', undefined, before, 5, true],
  ['contains less than was read', before, session(4, ['a', 1], ['b', 4]), 5, false],
  ['has grown', before, session(9, ['a', 1], ['b', 4]), 5, true],
  ['has a new writer after what was read', before, session(6, ['a', 1], ['b', 4], ['c', 6]), 5, true],
  ['has a new writer for the last entry read', before, session(6, ['a', 1], ['b', 4], ['c', 5]), 5, false],
  ['has a new writer for earlier entries', before, session(6, ['a', 1], ['b', 4], ['c', 2]), 5, false],
  ['has lost all its known writers', before, session(6, ['c', 6]), 5, false],
] as const)(
  'decides whether reading can continue if the session %s: $4',
  (_, earlier, now, readTo, expected) => {
    expect(continues(earlier, now, readTo)).toBe(expected);
  },
);

it('decodes no session from a state without writers or without a newest number', () => {
  expect(decodeStatus('s', [[null, '3', '0', 'e'], 3])).toBeUndefined();
  expect(decodeStatus('s', [['a:1', null, null, null], 0])).toBeUndefined();
  expect(decodeStatus('s', [['a:1', '3', '2', 's'], 2])).toMatchObject({
    oldestSeq: 2,
    headKind: 'turn_start',
  });
});

it.each([
  ['numbers', ['a:1', 'x', '0', 'e']],
  ['numbers', ['a:1', '', '0', 'e']],
  ['numbers', ['a:1', '1e300', '0', 'e']],
  ['numbers', ['a:1', '-1', '0', 'e']],
  ['turns', ['a:1', '3', 'x', 'e']],
  ['writers', ['a', '3', '0', 'e']],
  ['writers', ['a:1 b:x', '3', '0', 'e']],
  ['numbers, lower than that of its entries', ['a:1', '2', '0', 'e']],
])('refuses a state with malformed %s', (_, fields) => {
  expect(() => decodeStatus('sess-1', [fields, 3])).toThrow(
    expect.objectContaining({
      code: 'REDIS_FAILED',
      message: expect.stringContaining("'sess-1' is malformed"),
    }),
  );
});
