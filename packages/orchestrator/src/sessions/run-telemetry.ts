import type { RunRecord } from '@svc/contracts/orchestrator';
import type { RunEnding } from './decision.js';
import type { PlannedTurn } from './plan-turn.js';
import type { SessionFacts } from './session-facts.js';
import type { CallState } from './session-state.js';

/** What a run tells of itself while it works. */
export interface RunTelemetry {
  /** A turn of the planner; what it does is inside its span. One that the signal ended is no failure. */
  plan(work: () => Promise<PlannedTurn>, signal: AbortSignal): Promise<PlannedTurn>;
  /** Does work inside the run's span. */
  inside<Result>(work: () => Result): Result;
  /** The planner threw; the run ends with that. */
  plannerFailed(error: unknown): void;
  callEnded(call: CallState): void;
  ended(ending: RunEnding): void;
  /** The run works on elsewhere or later. */
  left(): void;
}

/** How a run came to work here, and whose trace it continues. */
export interface RunOrigin {
  readonly facts: SessionFacts;
  readonly origin: 'start' | 'takeover';
  readonly traceParent?: string | undefined;
}

/** The port that runs tell of themselves. */
export interface RunObserver {
  /** A run begins to work here: `start` or `takeover`. */
  run(record: RunRecord, from: RunOrigin): RunTelemetry;
  /** A run was ended that could not be worked on. */
  gaveUp(record: RunRecord, code: string): void;
}
