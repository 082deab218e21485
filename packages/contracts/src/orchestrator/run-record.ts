import type { JsonObject, JsonValue } from '../json.js';
import type { RunStatus } from '../session/final-payload.js';

/** One run in a list. Times are in milliseconds since 1970. */
export interface RunSummary {
  readonly sessionId: string;
  readonly projectId: string;
  /** The id of the API key that started the run, never the key itself. */
  readonly keyId: string;
  readonly threadId?: string;
  readonly status: RunStatus;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Set once the run has ended; nothing can be appended after that. */
  readonly endedAtMs?: number;
  /** Small facts for lists, such as the agent's name. */
  readonly labels: JsonObject;
}

/** One run with its request and owner. */
export interface RunRecord extends RunSummary {
  /** The request without private values, as the orchestrator needs it after a restart. */
  readonly request: JsonValue;
  /** The owner that works on the run. */
  readonly owner?: string;
  /** No other owner may take over the run before this time. */
  readonly leaseUntilMs?: number;
  /** Increases with each owner; writers with an older epoch are refused. */
  readonly epoch: number;
  /** The `seq` of the last journal record, 0 if there is none. */
  readonly lastSeq: number;
}

/** A run to create, claimed by its owner with epoch 1. */
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
  /** The run is refused if its project already has this many unfinished ones. @default no maximum */
  readonly maxOpenRuns?: number;
}

/** Selects the runs of a list, newest first. */
export interface RunQuery {
  readonly projectId?: string;
  readonly threadId?: string;
  /** Only ended runs (`true`) or only unfinished ones (`false`). */
  readonly ended?: boolean;
  /** Only unfinished runs that this owner may claim at this time: its own and those whose lease has expired. */
  readonly claimableBy?: { readonly owner: string; readonly nowMs: number };
  /** Only runs older than this one, for the next page. */
  readonly before?: { readonly createdAtMs: number; readonly sessionId: string };
  readonly limit: number;
}
