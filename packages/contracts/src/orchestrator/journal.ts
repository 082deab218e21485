import type { JsonValue } from '../json.js';
import type { RunStatus } from '../session/final-payload.js';

/** An entry of a run's journal: what a restarted orchestrator needs to know. The store does not interpret it. */
export interface JournalEntry {
  /** The kind of entry, such as `event`, `step` or `result`. */
  readonly kind: string;
  readonly data: JsonValue;
  /** A run has at most one record per key. A second one is refused, which makes appends idempotent. Not used with a slot. */
  readonly key?: string;
  /** The record replaces the run's earlier record of this slot; for snapshots, where only the newest counts. */
  readonly slot?: string;
}

/** One record of a run's journal. */
export interface JournalRecord extends JournalEntry {
  /** Counts from 1 within the run, without gaps except for replaced slots. */
  readonly seq: number;
  readonly atMs: number;
}

/** One atomic append. */
export interface JournalAppend {
  readonly entries: readonly JournalEntry[];
  readonly nowMs: number;
  /** The writer's epoch. Without it the writer is not the run's owner and only adds to the journal. */
  readonly epoch?: number;
  /** The number of the newest record that the writer knows. If the journal ends before it, records are lost: `stale`. */
  readonly knownSeq?: number;
  /** The run's new status. */
  readonly status?: RunStatus;
  /** Ends the run: this append is the last. */
  readonly ends?: boolean;
}

/** The outcome of an append. Only `appended` changes the store. */
export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly lastSeq: number }
  /** The run has another owner, or has lost records that the writer knows. */
  | { readonly outcome: 'stale' }
  /** The run already has a record with this key. */
  | { readonly outcome: 'duplicate'; readonly key: string }
  /** The run has ended; wins over `duplicate`. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'missing' };
