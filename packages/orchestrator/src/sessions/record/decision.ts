import type { JournalEntry, RunStatus } from '@svc/contracts/orchestrator';
import type { PlanUsage } from '../../planning/plan-step.js';
import type { SessionFacts } from './session-facts.js';
import type { CallState, SessionState } from './session-state.js';

/** The input of a decision. */
export interface DecideInput {
  readonly state: SessionState;
  readonly facts: SessionFacts;
  readonly nowMs: number;
  /** When this process took the run over from another process or an earlier life; absent when it started the run. */
  readonly takenOverAtMs?: number | undefined;
  /** Returns a new unguessable id. */
  readonly newId: () => string;
  readonly limits: { readonly maxEvents: number; readonly maxRejectedSteps: number };
}

/** What the rules of `decide` share. */
export interface RuleInput extends DecideInput {
  /** The data keys in use, including those of this decision. */
  readonly dataKeys: Set<string>;
}

/** Why and how a run ends. */
export type RunEnding =
  | { readonly status: 'completed' }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly code: string;
      readonly message: string;
      /** Tokens used by the turn that failed, which no step records. */
      readonly usage?: PlanUsage;
    };

/** What to do next with a run. At most one of the fields that cause an action is set. */
export interface Decision {
  /** Entries to write, before deciding again. */
  readonly entries?: readonly JournalEntry[];
  readonly status?: RunStatus;
  /** Ask memory for this turn. */
  readonly recall?: true;
  /** Ask the planner for the next step. */
  readonly plan?: true;
  readonly end?: RunEnding;
  /** Calls whose time is up, unless a session started to answer them is still alive. */
  readonly late?: readonly CallState[];
  /** System tools that must be running. */
  readonly system?: readonly CallState[];
  /** Nothing to do before this time unless a record arrives. */
  readonly wakeAtMs?: number | undefined;
}
