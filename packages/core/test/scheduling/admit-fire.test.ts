import { describe, expect, it } from 'vitest';
import { admitFire, beginWaiting, isExhausted } from '../../src/scheduling/admit-fire.js';
import type { Overlap } from '../../src/scheduling/overlap.js';
import { activeOf, fireOf, ledgerOf, rulesOf } from './ledger-steps.js';

describe('a new fire', () => {
  it.each<[string, Overlap, string[], string[], string[]]>([
    ['waits for its start when there is room', 'skip', [], ['new waiting mine 0'], []],
    ['is skipped when another runs', 'skip', ['a running'], ['a running mine 1'], ['new skipped_overlap']],
    [
      'is skipped when another process runs one',
      'skip',
      ['a running theirs'],
      ['a running theirs 1'],
      ['new skipped_overlap'],
    ],
    ['queues', 'queue', ['a running'], ['a running mine 1', 'new waiting mine 0'], []],
    [
      'is skipped by a full queue',
      { policy: 'queue', maxQueued: 1 },
      ['a running', 'b'],
      ['a running mine 1', 'b waiting mine 0'],
      ['new skipped_overlap'],
    ],
    [
      'replaces what runs',
      'replace',
      ['a running theirs'],
      ['a running theirs 1 cancelled', 'new waiting mine 0'],
      [],
    ],
    [
      'replaces the oldest of several',
      { policy: 'replace', maxOverlap: 2 },
      ['a running', 'b running'],
      ['a running mine 1 cancelled', 'b running mine 1', 'new waiting mine 0'],
      [],
    ],
    [
      'has room under another limit',
      { policy: 'skip', maxOverlap: 2 },
      ['a running'],
      ['a running mine 1', 'new waiting mine 0'],
      [],
    ],
    [
      'always has room without a limit',
      { maxOverlap: 0 },
      ['a running'],
      ['a running mine 1', 'new waiting mine 0'],
      [],
    ],
  ])('%s', (_behaviour, overlap, before, after, settled) => {
    const step = admitFire(ledgerOf(before), fireOf('new'), rulesOf({ overlap }), 5);
    expect(activeOf(step.ledger)).toEqual(after);
    expect(step.settled.map(({ fire_id, status }) => `${fire_id} ${status}`)).toEqual(settled);
  });

  it('takes the place of one that waited to replace a fire that is being stopped', () => {
    const rules = rulesOf({ overlap: 'replace' });
    const first = admitFire(ledgerOf(['a running']), fireOf('b'), rules, 5);
    const second = admitFire(first.ledger, fireOf('c'), rules, 6);
    expect(activeOf(second.ledger)).toEqual(['a running mine 1 cancelled', 'c waiting mine 0']);
    expect(second.settled).toMatchObject([{ fire_id: 'b', status: 'cancelled', attempt: 0 }]);
  });
});

describe('waiting fires', () => {
  it('begin in their order as far as there is room', () => {
    const step = beginWaiting(ledgerOf(['a', 'b', 'c']), 'mine', rulesOf({ overlap: { maxOverlap: 2 } }), 7);
    expect(activeOf(step.ledger)).toEqual(['a running mine 1', 'b running mine 1', 'c waiting mine 0']);
    expect(step.begun.map(({ fire_id, fired_at_ms }) => [fire_id, fired_at_ms])).toEqual([
      ['a', 7],
      ['b', 7],
    ]);
    expect(step.ledger.runs).toBe(2);
  });

  it("do not overtake another process's", () => {
    const before = ledgerOf(['a waiting theirs', 'b']);
    expect(beginWaiting(before, 'mine', rulesOf(), 7).ledger).toBe(before);
  });

  it('count as a run only when they begin for the first time', () => {
    const step = beginWaiting(ledgerOf(['a waiting mine 1'], { runs: 1 }), 'mine', rulesOf(), 7);
    expect(activeOf(step.ledger)).toEqual(['a running mine 2']);
    expect(step.ledger.runs).toBe(1);
  });
});

it.each([
  [undefined, 99, [], false],
  [2, 1, [], false],
  [2, 2, [], true],
  [2, 1, ['a'], true],
  [2, 1, ['a running'], false],
  [2, 1, ['a waiting mine 1'], false],
])('with maxRuns %s after %d runs and active %j exhaustion is %s', (maxRuns, runs, fires, expected) => {
  const limits = maxRuns === undefined ? rulesOf() : rulesOf({ maxRuns });
  expect(isExhausted(ledgerOf(fires, { runs }), limits)).toBe(expected);
});
