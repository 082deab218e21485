import type { RunRecord } from '@svc/contracts/orchestrator';
import type { RunEnding } from '../record/decision.js';
import type { PlannedTurn } from './plan-turn.js';
import type { SessionFacts } from '../record/session-facts.js';
import type { CallState } from '../record/session-state.js';

/** What a run reports about itself while it works. */
export interface RunTelemetry {
  /** Wraps a planner turn in a span. A turn ended by the signal does not count as a failure. */
  plan(work: () => Promise<PlannedTurn>, signal: AbortSignal): Promise<PlannedTurn>;
  /** Does work inside the run's span. */
  inside<Result>(work: () => Result): Result;
  /** The planner threw, which ends the run. */
  plannerFailed(error: unknown): void;
  callEnded(call: CallState): void;
  ended(ending: RunEnding): void;
  /** The run continues elsewhere or later. */
  left(): void;
}

/** How a run came to work here, and whose trace it continues. */
export interface RunOrigin {
  readonly facts: SessionFacts;
  readonly origin: 'start' | 'takeover';
  readonly traceParent?: string | undefined;
}

/** Receives what runs report about themselves. */
export interface RunObserver {
  /** A run begins to work here, by `start` or `takeover`. */
  run(record: RunRecord, from: RunOrigin): RunTelemetry;
  /** A run that could not be worked on was ended. */
  gaveUp(record: RunRecord, code: string): void;
}
