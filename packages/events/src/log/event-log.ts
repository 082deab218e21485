import type { JsonValue } from '@svc/contracts';
import type { EntryKind } from './entry-kind.js';
import type { LogPage } from './log-page.js';

/** One entry to be written. The log keeps the texts as they are and reads none of them. */
export interface LogEvent {
  readonly sessionId: string;
  /** One more than the session's last sequence number; the first is 1. */
  readonly seq: number;
  readonly kind: EntryKind;
  /** The SSE frames of the entry for readers of the session's own audience: none, one or more, each ended by a blank line. */
  readonly frames: string;
  /**
   * The frames for `frontend_safe` readers, where they cannot be computed from `frames`: only the writer knows the
   * private values. Absent on most entries.
   */
  readonly safeFrames?: string | undefined;
  /** What the writer has to remember of the entry; for {@link EventLog.open} alone, never for readers. */
  readonly note?: JsonValue | undefined;
}

/** The writer that appended the entries from a sequence number on. */
export interface EpochStart {
  readonly epoch: string;
  readonly fromSeq: number;
}

/** What a log holds of a session. */
export interface SessionStatus {
  /** Who wrote which entries, oldest first; the last one is the writer now. A log may forget all but the newest 32. */
  readonly epochs: readonly EpochStart[];
  /** The oldest entry held; one more than `headSeq` when none is. */
  readonly oldestSeq: number;
  /** The newest entry ever appended; 0 when there was none. */
  readonly headSeq: number;
  /** The entry of the newest `turn_start`; 0 when there was none. */
  readonly turnSeq: number;
  /** The kind of the newest entry; undefined when there was none. */
  readonly headKind: EntryKind | undefined;
}

/** What a new writer starts from. */
export interface OpenedSession extends SessionStatus {
  /** The new writer's token; every older one is stale from now on. */
  readonly epoch: string;
  /** The newest checkpoint a trim brought. */
  readonly checkpoint?: JsonValue | undefined;
  /** The notes of the entries held, in order. */
  readonly notes: readonly EntryNote[];
}

/** A note and the entry it came with. */
export interface EntryNote {
  readonly seq: number;
  readonly note: JsonValue;
}

/** Says who writes. */
export interface WriterToken {
  /** The token that {@link EventLog.open} gave. */
  readonly epoch: string;
}

/** Where to read from. */
export interface ReadFrom {
  /** The last entry already seen; 0 for none. */
  readonly afterSeq: number;
}

/** What can be dropped. */
export interface TrimTo extends WriterToken {
  /** The newest entry that need not be held any more. */
  readonly throughSeq: number;
  /** What a later writer needs to know of the entries dropped; it replaces the checkpoint before. */
  readonly checkpoint: JsonValue;
}

/**
 * Where the events of sessions are kept: in memory, in a file, or on a server that several machines share. Every
 * session has one writer at a time and any number of readers, who follow it from where they are.
 *
 * Each method is atomic. When its promise resolves, the change is as durable as the log is. What a log cannot reach
 * rejects with an error of its own; it never answers that there is nothing. Every implementation passes the suite of
 * `@svc/events/testing`.
 */
export interface EventLog {
  /**
   * Makes the caller the session's only writer. The session need not exist. With the token that the caller was given
   * before, only if nobody else has become the writer since.
   *
   * @throws StaleEpochError when the session has another writer than the one with this token.
   */
  open(sessionId: string, writer?: WriterToken): Promise<OpenedSession>;

  /** What is held of a session; undefined when it is not known (any more). */
  inspect(sessionId: string): Promise<SessionStatus | undefined>;

  /**
   * Writes one entry. Calls are stored in the order they were made, also when none was awaited. An entry that is there
   * already, by the same epoch and sequence number, is not written again.
   *
   * @throws StaleEpochError when another writer has taken the session over, or the session is not known.
   * @throws LogGapError when the entries before it are missing: an append failed, or the log lost them.
   */
  append(event: LogEvent, writer: WriterToken): Promise<void>;

  /**
   * Entries after a sequence number, in order: all, or as many as the log likes to hand out at once, at least one while
   * there are any. The page begins with the oldest entry held when the entries asked for are gone.
   */
  readAfter(sessionId: string, from: ReadFrom): Promise<LogPage>;

  /**
   * Entries after a sequence number, those that are there and those that come, in non-empty pages. Everything that one
   * turn of the event loop brought may come as one page. Goes on over changes of the writer. Ends when the signal
   * aborts or its iterator is returned, at once also while it waits, when the session is removed and when the log is
   * closed.
   */
  follow(sessionId: string, from: ReadFrom & { readonly signal?: AbortSignal }): AsyncIterable<LogPage>;

  /** Drops old entries. A stale epoch changes nothing. */
  trim(sessionId: string, to: TrimTo): Promise<void>;

  /** Forgets a session and all that was held of it. */
  remove(sessionId: string): Promise<void>;

  /** Ends all follows and frees what the log holds. Closing twice is fine. */
  close(): Promise<void>;
}
