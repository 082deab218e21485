import { describe, expect, it } from 'vitest';
import { cancelWaiting, endFire, recordAttempt, skipUntil } from '../../../src/scheduling/fire/end-fire.js';
import { settle } from '../../../src/scheduling/store/ledger.js';
import type { FireDecision } from '../../../src/scheduling/policy/misfire.js';
import { addManualFire, tick } from '../../../src/scheduling/fire/tick.js';
import { activeOf, fireOf, ledgerOf, rulesOf } from '../store/ledger-steps.js';

function decide(...moments: number[]): FireDecision[] {
  return moments.map((scheduledAtMs) => ({
    fire: { scheduledAtMs, jitterMs: 0, dueAtMs: scheduledAtMs, isPastNext: false },
    verdict: 'run',
    coalesced: 0,
  }));
}

describe('tick', () => {
  it('decides due fires, moves the cursor and begins fires while there is room', () => {
    const step = tick(ledgerOf([]), rulesOf(), { nowMs: 20, decide: () => decide(10, 20) });
    expect(step.ledger).toMatchObject({ cursor_ms: 20, runs: 1 });
    expect(step.begun.map(({ fire_id }) => fire_id)).toEqual(['new1']);
    expect(step.settled.map(({ scheduled_at_ms, status }) => [scheduled_at_ms, status])).toEqual([
      [20, 'skipped_overlap'],
    ]);
  });

  it('returns the same ledger object when there is nothing to do', () => {
    const ledger = ledgerOf(['a running']);
    expect(tick(ledger, rulesOf(), { nowMs: 1, decide: () => [] })).toEqual({
      ledger,
      settled: [],
      begun: [],
    });
    expect(tick(ledger, rulesOf(), { nowMs: 1, decide: undefined }).ledger).toBe(ledger);
  });

  it('decides no more fires when maxRuns is reached', () => {
    const step = tick(ledgerOf([]), rulesOf({ maxRuns: 1, overlap: { maxOverlap: 0 } }), {
      nowMs: 30,
      decide: () => decide(10, 20, 30),
    });
    expect(step.ledger).toMatchObject({ cursor_ms: 10, runs: 1 });
    expect(step.settled).toEqual([]);
  });

  it('renews its own leases after a third of their duration, not before', () => {
    const ledger = ledgerOf(['a running']);
    const tickAt = (nowMs: number) => tick(ledger, rulesOf(), { nowMs, decide: undefined }).ledger;
    expect(tickAt(9_999)).toBe(ledger);
    expect(tickAt(10_000).active).toMatchObject([{ fire_id: 'a', lease_until_ms: 40_000 }]);
  });

  it.each([
    [
      'leaves a fire to its process until the lease expires',
      {},
      30_000,
      'a running theirs',
      ['a running theirs 1'],
      [],
    ],
    [
      'records a fire with an expired lease as interrupted',
      {},
      30_001,
      'a running theirs',
      [],
      ['interrupted'],
    ],
    [
      'runs a fire with an expired lease again with retryInterrupted',
      { retryInterrupted: true, maxAttempts: 2 },
      30_001,
      'a running theirs',
      ['a running mine 2'],
      ['interrupted'],
    ],
    [
      'does not run a fire with an expired lease again when its attempts are used up',
      { retryInterrupted: true, maxAttempts: 2 },
      30_001,
      'a running theirs 2',
      [],
      ['interrupted'],
    ],
    [
      'takes over a waiting fire with an expired lease',
      {},
      30_001,
      'a waiting theirs',
      ['a running mine 1'],
      [],
    ],
  ])('%s', (_behaviour, retry, nowMs, fire, active, settled) => {
    const step = tick(ledgerOf([fire]), rulesOf({ retry }), { nowMs, decide: undefined });
    expect(activeOf(step.ledger)).toEqual(active);
    expect(step.settled.map(({ status }) => status)).toEqual(settled);
  });

  it('does not run a fire with an expired lease again if it was being cancelled', () => {
    const fire = { ...fireOf('a running theirs'), cancel_reason: 'replaced' };
    const rules = rulesOf({ retry: { retryInterrupted: true, maxAttempts: 2 } });
    const step = tick(ledgerOf([], { active: [fire] }), rules, { nowMs: 30_001, decide: undefined });
    expect(step.ledger.active).toEqual([]);
  });
});

describe('ledger steps', () => {
  it('endFire ends a fire and begins the next one', () => {
    const end = settle(fireOf('a running'), { status: 'succeeded', finished_at_ms: 9 });
    const step = endFire(ledgerOf(['a running', 'b']), end, { owner: 'mine', limits: rulesOf(), nowMs: 9 });
    expect(step && activeOf(step.ledger)).toEqual(['b running mine 1']);
    expect(step?.settled).toEqual([end]);
  });

  it.each([['a running theirs'], ['b running']])(
    'endFire returns undefined if the owner no longer has the fire (the ledger has: %s)',
    (fire) => {
      const end = settle(fireOf('a running'), { status: 'succeeded', finished_at_ms: 9 });
      expect(endFire(ledgerOf([fire]), end, { owner: 'mine', limits: rulesOf(), nowMs: 9 })).toBeUndefined();
    },
  );

  it('recordAttempt changes only a fire that the process owns', () => {
    const ledger = ledgerOf(['a running', 'b running']);
    const recorded = recordAttempt(ledger, fireOf('b running'), 3).ledger;
    expect(activeOf(recorded)).toEqual(['a running mine 1', 'b running mine 3']);
    expect(recordAttempt(ledger, fireOf('b running theirs'), 3).ledger).toBe(ledger);
  });

  it('cancelWaiting cancels only waiting fires that the process owns', () => {
    const step = cancelWaiting(ledgerOf(['a running', 'b', 'c waiting theirs']), 'mine', 'stopped', 9);
    expect(activeOf(step.ledger)).toEqual(['a running mine 1', 'c waiting theirs 0']);
    expect(step.settled).toMatchObject([{ fire_id: 'b', status: 'cancelled', reason: 'stopped' }]);
  });

  it('skipUntil moves the cursor up to a time, and never back', () => {
    expect(skipUntil(ledgerOf([], { cursor_ms: 5 }), 9).ledger.cursor_ms).toBe(9);
    expect(skipUntil(ledgerOf([], { cursor_ms: 5 }), 3).ledger.cursor_ms).toBe(5);
  });

  it('addManualFire adds a triggered fire unless maxRuns is reached', () => {
    const step = addManualFire(ledgerOf([]), rulesOf(), 'asked', 7);
    expect(step?.begun).toMatchObject([{ fire_id: 'asked', origin: 'manual', scheduled_at_ms: 7 }]);
    expect(step?.ledger.cursor_ms).toBe(0);
    expect(addManualFire(ledgerOf([], { runs: 1 }), rulesOf({ maxRuns: 1 }), 'asked', 7)).toBeUndefined();
  });
});
