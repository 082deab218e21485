import type { JsonObject, JsonValue } from '../json.js';
import type { RunStatus } from '../session/final-payload.js';

/** One run as lists show it. Times are in milliseconds since 1970. */
export interface RunSummary {
  readonly sessionId: string;
  readonly projectId: string;
  /** The id of the key that started the run; never the key. */
  readonly keyId: string;
  readonly threadId?: string;
  readonly status: RunStatus;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Set once the run has ended; nothing can be appended from then on. */
  readonly endedAtMs?: number;
  /** Small facts for lists, such as the agent's name. */
  readonly labels: JsonObject;
}

/** One run with what it was asked and who works on it. */
export interface RunRecord extends RunSummary {
  /** The request without private values, as the orchestrator wants it back after a restart. */
  readonly request: JsonValue;
  /** Who works on the run. */
  readonly owner?: string;
  /** Until when no other owner may take the run over. */
  readonly leaseUntilMs?: number;
  /** Grows with each owner; a writer with an older one is refused. */
  readonly epoch: number;
  /** The number of the last journal record, 0 while there is none. */
  readonly lastSeq: number;
}

/** A run to be created, already claimed by its owner with epoch 1. */
export interface NewRun {
  readonly sessionId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly threadId?: string;
  readonly labels: JsonObject;
  readonly request: JsonValue;
  readonly nowMs: number;
  readonly owner: string;
  readonly leaseMs: number;
}

/** Which runs a list holds: newest first. */
export interface RunQuery {
  readonly projectId?: string;
  readonly threadId?: string;
  /** Only runs that have ended (`true`) or have not (`false`). */
  readonly ended?: boolean;
  /** Only unfinished runs that this owner may claim at this time: its own, and those whose lease is over. */
  readonly claimableBy?: { readonly owner: string; readonly nowMs: number };
  /** Only runs before this one in the order of the list. */
  readonly before?: { readonly createdAtMs: number; readonly sessionId: string };
  readonly limit: number;
}
