import type { JournalEntry, RunStatus } from '@svc/contracts/orchestrator';
import type { PlanUsage } from '../planning/plan-step.js';
import type { CallState } from './session-state.js';

/** Why and how a run ends. */
export type RunEnding =
  | { readonly status: 'completed' }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly code: string;
      readonly message: string;
      /** What the turn used that failed: no step tells it. */
      readonly usage?: PlanUsage;
    };

/** What to do next with a run. At most one of the fields that act is set. */
export interface Decision {
  /** To be written; then decide again. */
  readonly entries?: readonly JournalEntry[];
  readonly status?: RunStatus;
  /** Ask memory what it holds for this turn. */
  readonly recall?: true;
  /** Ask the planner for the next step. */
  readonly plan?: true;
  readonly end?: RunEnding;
  /** Calls whose time is up, but for the sessions that were started to answer them. */
  readonly late?: readonly CallState[];
  /** System tools that have to be running. */
  readonly system?: readonly CallState[];
  /** Nothing to do before this time, unless something is written. */
  readonly wakeAtMs?: number | undefined;
}
