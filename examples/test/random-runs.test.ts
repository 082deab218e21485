import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SECRET } from './random-runs/planned-agent.js';
import { playRun } from './random-runs/play-run.js';
import { runPlans } from './random-runs/run-plan.js';

it('a random run ends once and as its page shows, runs each call once, and reveals no private value', async () => {
  const ends = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(runPlans, async (plan) => {
      const { status, events, calls, page, published } = await playRun(plan);
      ends.add(status);
      const finals = events.filter(({ name }) => name === 'final');
      const [turn, ...others] = page.turns;
      expect(published).not.toContain(SECRET);
      expect(published).not.toContain(btoa(SECRET));
      expect(new Set(calls).size).toBe(calls.length);
      expect(finals.length).toBeLessThanOrEqual(1);
      expect([others, page.gaps]).toEqual([[], []]);
      expect(turn?.status === 'completed').toBe(status === 'completed');
      // A run that completes has reported the end of every call; otherwise the end of the turn may close some.
      const open = turn?.cards.filter((card) => ['running', 'pending'].includes(card.status));
      const closed = turn?.cards.filter((card) => card.kind === 'action' && card.settled);
      expect(open).toEqual([]);
      if (status === 'completed') expect(closed).toEqual([]);
    }),
    // Looking for the smallest failing run would take longer than the test may.
    { numRuns: 30, endOnFailure: true },
  );
  expect(ends).toContain('completed');
  expect(ends).toContain('RUN_CANCELLED');
  expect(ends).toContain('RUN_FAILED');
});
