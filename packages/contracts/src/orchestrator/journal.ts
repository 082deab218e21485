import type { JsonValue } from '../json.js';
import type { RunStatus } from '../session/final-payload.js';

/** What is written to a run's journal: everything that a restarted orchestrator has to know. The store reads none of it. */
export interface JournalEntry {
  /** What the record says, such as `event`, `step` or `result`. */
  readonly kind: string;
  readonly data: JsonValue;
  /** A run holds at most one record per key; a second one is refused, which makes an append idempotent. Not with a slot. */
  readonly key?: string;
  /** The record takes the place of the run's earlier record of this slot; for snapshots of which only the newest counts. */
  readonly slot?: string;
}

/** One record of a run's journal. */
export interface JournalRecord extends JournalEntry {
  /** Counts from 1 within the run, without a gap except for replaced slots. */
  readonly seq: number;
  readonly atMs: number;
}

/** One append: all of it happens or nothing. */
export interface JournalAppend {
  readonly entries: readonly JournalEntry[];
  readonly nowMs: number;
  /** The writer's epoch. Without one the writer is not the run's owner; it only adds to the journal. */
  readonly epoch?: number;
  /** The run's status from now on. */
  readonly status?: RunStatus;
  /** Ends the run: this append is the last. */
  readonly ends?: boolean;
}

/** What became of an append. Only `appended` has changed anything. */
export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly lastSeq: number }
  /** Another owner has the run. */
  | { readonly outcome: 'stale' }
  /** The run holds a record with this key. */
  | { readonly outcome: 'duplicate'; readonly key: string }
  /** The run has ended, whatever keys the records have. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'missing' };
