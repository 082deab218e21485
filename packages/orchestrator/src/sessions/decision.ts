import type { JournalEntry, RunStatus } from '@svc/contracts/orchestrator';
import type { PlanUsage } from '../planning/plan-step.js';
import type { SessionFacts } from './session-facts.js';
import type { CallState, SessionState } from './session-state.js';

/** What a decision is made from. */
export interface DecideInput {
  readonly state: SessionState;
  readonly facts: SessionFacts;
  readonly nowMs: number;
  /** When this process took the run over from another process or life; absent when it started it. */
  readonly takenOverAtMs?: number | undefined;
  /** Makes a new unguessable id. */
  readonly newId: () => string;
  readonly limits: { readonly maxEvents: number; readonly maxRejectedSteps: number };
}

/** What the rules of a decision share. */
export interface RuleInput extends DecideInput {
  /** The data keys in use, those of this decision included. */
  readonly dataKeys: Set<string>;
}

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
