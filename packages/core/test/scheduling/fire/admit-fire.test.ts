import { describe, expect, it } from 'vitest';
import { admitFire, beginWaiting, isExhausted } from '../../../src/scheduling/fire/admit-fire.js';
import type { Overlap } from '../../../src/scheduling/policy/overlap.js';
import { activeOf, fireOf, ledgerOf, rulesOf } from '../store/ledger-steps.js';

describe('a new fire', () => {
  it.each<[string, Overlap, string[], string[], string[]]>([
    ['is added as waiting when there is room', 'skip', [], ['new waiting mine 0'], []],
    [
      'is skipped while another fire runs',
      'skip',
      ['a running'],
      ['a running mine 1'],
      ['new skipped_overlap'],
    ],
    [
      'is skipped while another process runs a fire',
      'skip',
      ['a running theirs'],
      ['a running theirs 1'],
      ['new skipped_overlap'],
    ],
    [
      'is queued under the queue policy',
      'queue',
      ['a running'],
      ['a running mine 1', 'new waiting mine 0'],
      [],
    ],
    [
      'is skipped when the queue is full',
      { policy: 'queue', maxQueued: 1 },
      ['a running', 'b'],
      ['a running mine 1', 'b waiting mine 0'],
      ['new skipped_overlap'],
    ],
    [
      'cancels the running fire under the replace policy',
      'replace',
      ['a running theirs'],
      ['a running theirs 1 cancelled', 'new waiting mine 0'],
      [],
    ],
    [
      'cancels the oldest of several running fires',
      { policy: 'replace', maxOverlap: 2 },
      ['a running', 'b running'],
      ['a running mine 1 cancelled', 'b running mine 1', 'new waiting mine 0'],
      [],
    ],
    [
      'is added as waiting while fewer than maxOverlap fires run',
      { policy: 'skip', maxOverlap: 2 },
      ['a running'],
      ['a running mine 1', 'new waiting mine 0'],
      [],
    ],
    [
      'is always added as waiting when maxOverlap is 0',
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

  it('supersedes a fire that is waiting for the same running fire to stop', () => {
    const rules = rulesOf({ overlap: 'replace' });
    const first = admitFire(ledgerOf(['a running']), fireOf('b'), rules, 5);
    const second = admitFire(first.ledger, fireOf('c'), rules, 6);
    expect(activeOf(second.ledger)).toEqual(['a running mine 1 cancelled', 'c waiting mine 0']);
    expect(second.settled).toMatchObject([{ fire_id: 'b', status: 'cancelled', attempt: 0 }]);
  });
});

describe('waiting fires', () => {
  it('begin in order while there is room', () => {
    const step = beginWaiting(ledgerOf(['a', 'b', 'c']), 'mine', rulesOf({ overlap: { maxOverlap: 2 } }), 7);
    expect(activeOf(step.ledger)).toEqual(['a running mine 1', 'b running mine 1', 'c waiting mine 0']);
    expect(step.begun.map(({ fire_id, fired_at_ms }) => [fire_id, fired_at_ms])).toEqual([
      ['a', 7],
      ['b', 7],
    ]);
    expect(step.ledger.runs).toBe(2);
  });

  it('do not overtake a waiting fire of another process', () => {
    const before = ledgerOf(['a waiting theirs', 'b']);
    expect(beginWaiting(before, 'mine', rulesOf(), 7).ledger).toBe(before);
  });

  it('count as a run only on their first attempt', () => {
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
])(
  'with maxRuns %s, %d runs and the active fires %j, isExhausted returns %s',
  (maxRuns, runs, fires, expected) => {
    const limits = maxRuns === undefined ? rulesOf() : rulesOf({ maxRuns });
    expect(isExhausted(ledgerOf(fires, { runs }), limits)).toBe(expected);
  },
);
