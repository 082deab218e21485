import type { PlanTool, RecordedCall } from '../../src/planning/plan-context.js';
import type { PlannedCall } from '../../src/planning/plan-step.js';
import { nextCalls } from '../../src/planning/policy/next-calls.js';

/**
 * Returns the order in which calls run when all of them succeed: each wave contains the indices of calls that run
 * together. Calls beyond a re-evaluate boundary are in no wave, since they wait for the next round of planning.
 */
export function planWaves(calls: readonly PlannedCall[], tools: readonly PlanTool[]): number[][] {
  let recorded: RecordedCall[] = calls.map((call, index) => ({ ...call, call_id: String(index) }));
  const waves: number[][] = [];
  for (;;) {
    const next = nextCalls({
      calls: recorded,
      inFlight: new Set(),
      tools,
      earlier: [],
      constraints: { allow_reevaluate_loop: true },
    });
    if (next.done) return waves;
    if (next.start.length > 0) waves.push(next.start.map(Number));
    const failures = new Map(next.skip.map(({ call_id, failure }) => [call_id, failure]));
    recorded = recorded.map((call): RecordedCall => {
      const error = failures.get(call.call_id);
      if (error) return { ...call, outcome: { status: 'error', error } };
      return next.start.includes(call.call_id) ? { ...call, outcome: { status: 'ok', result: null } } : call;
    });
  }
}
