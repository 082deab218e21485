import type { JsonValue } from '@svc/contracts';
import type { EntryKind } from './entry-kind.js';
import type { LogPage } from './log-page.js';

/** One entry to write. The log stores its strings as they are and does not interpret them. */
export interface LogEvent {
  readonly sessionId: string;
  /** One more than the session's last sequence number; the first is 1. */
  readonly seq: number;
  readonly kind: EntryKind;
  /** The entry's SSE frames for the session's own audience: none, one or more, each ended by a blank line. */
  readonly frames: string;
  /**
   * The frames for `frontend_safe` readers, if they cannot be computed from `frames` because only the writer knows the
   * private values. Absent on most entries.
   */
  readonly safeFrames?: string | undefined;
  /** What the writer must remember of the entry; only for {@link EventLog.open}, never for readers. */
  readonly note?: JsonValue | undefined;
}

/** The writer of the entries from a sequence number on. */
export interface EpochStart {
  readonly epoch: string;
  readonly fromSeq: number;
}

/** What a log has stored of a session. */
export interface SessionStatus {
  /** The writers and their first entries, oldest first; the last is the current writer. A log may keep only the newest 32. */
  readonly epochs: readonly EpochStart[];
  /** The oldest stored entry; `headSeq + 1` if there is none. */
  readonly oldestSeq: number;
  /** The newest entry ever appended; 0 if there was none. */
  readonly headSeq: number;
  /** The entry of the newest `turn_start`; 0 if there was none. */
  readonly turnSeq: number;
  /** The kind of the newest entry; undefined if there was none. */
  readonly headKind: EntryKind | undefined;
}

/** The state that a new writer starts from. */
export interface OpenedSession extends SessionStatus {
  /** The new writer's token; all older ones are stale now. */
  readonly epoch: string;
  /** The checkpoint of the latest trim. */
  readonly checkpoint?: JsonValue | undefined;
  /** The notes of the stored entries, in order. */
  readonly notes: readonly EntryNote[];
}

/** A note and the entry it belongs to. */
export interface EntryNote {
  readonly seq: number;
  readonly note: JsonValue;
}

/** Identifies a writer. */
export interface WriterToken {
  /** The token returned by {@link EventLog.open}. */
  readonly epoch: string;
}

/** The position to read from. */
export interface ReadFrom {
  /** The last entry already read; 0 for none. */
  readonly afterSeq: number;
}

/** What to trim. */
export interface TrimTo extends WriterToken {
  /** The newest entry that may be dropped. */
  readonly throughSeq: number;
  /** What a later writer needs to know of the dropped entries. Replaces the previous checkpoint. */
  readonly checkpoint: JsonValue;
}

/**
 * The storage port for session events: memory, a file, or a server shared by several machines. Each session has one
 * writer at a time and any number of readers, each at its own position.
 *
 * Each method is atomic. When its promise resolves, the change is as durable as the log is. If the storage cannot be
 * reached, methods reject instead of returning an empty result. Every implementation must pass the test suite of
 * `@svc/events/testing`.
 */
export interface EventLog {
  /**
   * Makes the caller the only writer of a session, which need not exist. With the caller's previous token this only
   * succeeds if nobody else has become the writer since.
   *
   * @throws StaleEpochError if the current writer has another token; a removed session has no writer.
   */
  open(sessionId: string, writer?: WriterToken): Promise<OpenedSession>;

  /** Returns the status of a session; undefined if it is unknown or removed. */
  inspect(sessionId: string): Promise<SessionStatus | undefined>;

  /**
   * Appends one entry. Entries are stored in call order, even if calls are not awaited. An entry with the epoch and
   * sequence number of a stored one is not written again.
   *
   * @throws StaleEpochError if another writer has taken over the session, or the session is unknown.
   * @throws LogGapError if entries before it are missing, because an append failed or the log lost them.
   */
  append(event: LogEvent, writer: WriterToken): Promise<void>;

  /**
   * Reads the entries after a sequence number, in order: all or as many as the log returns at once, at least one if there
   * are any. If the requested entries are gone, the page starts with the oldest stored entry.
   */
  readAfter(sessionId: string, options: ReadFrom): Promise<LogPage>;

  /**
   * Follows the entries after a sequence number, stored and new ones, in non-empty pages. Entries of one event loop turn
   * may arrive as one page. Continues across changes of the writer. Ends at once, even while waiting, when the signal
   * aborts or the iterator is returned; also ends when the session is removed or the log is closed. Reads of one iterator
   * may overlap; they are answered in order.
   */
  follow(sessionId: string, options: ReadFrom & { readonly signal?: AbortSignal }): AsyncIterable<LogPage>;

  /** Drops old entries. Does nothing if the epoch is stale. */
  trim(sessionId: string, options: TrimTo): Promise<void>;

  /** Removes a session and everything stored of it. */
  remove(sessionId: string): Promise<void>;

  /** Ends all follows and releases resources. Idempotent. */
  close(): Promise<void>;
}
