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
  ['is not there yet', undefined, undefined, 0, true],
  ['is not there, though some of it was read elsewhere', undefined, undefined, 3, false],
  ['is there no more', before, undefined, 5, false],
  ['is there no more, before any of it was read', session(0, ['a', 1]), undefined, 0, false],
  ['is seen for the first time', undefined, before, 0, true],
  ['is seen for the first time by who knows of entries', undefined, before, 5, true],
  ['holds less than was read', before, session(4, ['a', 1], ['b', 4]), 5, false],
  ['has grown', before, session(9, ['a', 1], ['b', 4]), 5, true],
  ['has another writer, behind what was read', before, session(6, ['a', 1], ['b', 4], ['c', 6]), 5, true],
  ['has another writer for what was read', before, session(6, ['a', 1], ['b', 4], ['c', 5]), 5, false],
  ['has another writer before what was read', before, session(6, ['a', 1], ['b', 4], ['c', 2]), 5, false],
  ['has none of its writers', before, session(6, ['c', 6]), 5, false],
] as const)('a session that %s', (_, earlier, now, readTo, expected) => {
  expect(continues(earlier, now, readTo)).toBe(expected);
});

it('a state without writers, of a stream whose state was evicted, is no session', () => {
  expect(decodeStatus([[null, '3', '0', 'e', null], 3])).toBeUndefined();
  expect(decodeStatus([['a:1', null, null, null, null], 0])).toBeUndefined();
  expect(decodeStatus([['a:1', '3', '2', 's', null], 2])).toMatchObject({
    oldestSeq: 2,
    headKind: 'turn_start',
  });
});
