import type { DatabaseSync } from 'node:sqlite';
import type { JsonValue } from '@svc/contracts';
import { isRecord } from '../payloads/read-field.js';
import type { EntryKind } from './entry-kind.js';
import type { EntryNote, EpochStart, LogEvent, SessionStatus } from './event-log.js';
import type { PageEntry } from './log-page.js';
import { switchToWal } from './switch-to-wal.js';

const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY,
    epochs     TEXT NOT NULL,
    oldest_seq INTEGER NOT NULL,
    head_seq   INTEGER NOT NULL,
    turn_seq   INTEGER NOT NULL,
    head_kind  TEXT,
    checkpoint TEXT,
    written_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    session_id  TEXT NOT NULL,
    seq         INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    frames      TEXT NOT NULL,
    safe_frames TEXT,
    note        TEXT,
    PRIMARY KEY (session_id, seq)
  ) STRICT, WITHOUT ROWID;
`;

/** The row of a session. */
export interface SessionRow extends SessionStatus {
  readonly checkpoint: JsonValue | undefined;
}

/** The tables of an event log in a SQLite file: rows in, rows out. */
export class SqliteTables {
  readonly #database: DatabaseSync;
  readonly #selectSession;
  readonly #selectWriters;
  readonly #upsertSession;
  readonly #insertEntry;
  readonly #selectEntries;
  readonly #selectNotes;
  readonly #deleteEntries;

  constructor(database: DatabaseSync) {
    this.#database = database;
    switchToWal(database);
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL;');
    database.exec(schema);
    this.#selectSession = database.prepare('SELECT * FROM sessions WHERE session_id = ?');
    this.#selectWriters = database.prepare('SELECT epochs, head_seq FROM sessions WHERE session_id = ?');
    this.#upsertSession = database.prepare(
      'INSERT OR REPLACE INTO sessions (session_id, epochs, oldest_seq, head_seq, turn_seq, head_kind, checkpoint, written_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertEntry = database.prepare(
      'INSERT INTO entries (session_id, seq, kind, frames, safe_frames, note) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#selectEntries = database.prepare(
      'SELECT seq, kind, frames, safe_frames FROM entries WHERE session_id = ? AND seq > ? ORDER BY seq',
    );
    this.#selectNotes = database.prepare(
      'SELECT seq, note FROM entries WHERE session_id = ? AND note IS NOT NULL ORDER BY seq',
    );
    this.#deleteEntries = database.prepare('DELETE FROM entries WHERE session_id = ? AND seq <= ?');
  }

  /** Runs work as one transaction, while no other process can write. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has already ended the transaction, and the error of a second rollback would hide the cause.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  readSession(sessionId: string): SessionRow | undefined {
    const row = this.#selectSession.get(sessionId);
    if (row === undefined) return undefined;
    return {
      epochs: epochsOf(row.epochs),
      oldestSeq: Number(row.oldest_seq),
      headSeq: Number(row.head_seq),
      turnSeq: Number(row.turn_seq),
      headKind: (row.head_kind ?? undefined) as EntryKind | undefined,
      checkpoint: jsonOf(row.checkpoint),
    };
  }

  /** Reads the part of a session that shows whether it is still the same one. */
  readWriters(sessionId: string): Pick<SessionRow, 'epochs' | 'headSeq'> | undefined {
    const row = this.#selectWriters.get(sessionId);
    return row && { epochs: epochsOf(row.epochs), headSeq: Number(row.head_seq) };
  }

  writeSession(sessionId: string, row: SessionRow, nowMs: number): void {
    this.#upsertSession.run(
      sessionId,
      JSON.stringify(row.epochs),
      row.oldestSeq,
      row.headSeq,
      row.turnSeq,
      row.headKind ?? null,
      textOf(row.checkpoint),
      nowMs,
    );
  }

  insertEntry({ sessionId, seq, kind, frames, safeFrames, note }: LogEvent): void {
    this.#insertEntry.run(sessionId, seq, kind, frames, safeFrames ?? null, textOf(note));
  }

  /** Reads entries only as they are consumed: they may be large. */
  *readEntries(sessionId: string, afterSeq: number): Generator<PageEntry, void, undefined> {
    for (const row of this.#selectEntries.iterate(sessionId, afterSeq)) {
      yield {
        seq: Number(row.seq),
        kind: String(row.kind) as EntryKind,
        frames: String(row.frames),
        safeFrames: typeof row.safe_frames === 'string' ? row.safe_frames : undefined,
      };
    }
  }

  readNotes(sessionId: string): EntryNote[] {
    return this.#selectNotes
      .all(sessionId)
      .map((row) => ({ seq: Number(row.seq), note: jsonOf(row.note) ?? null }));
  }

  deleteEntries(sessionId: string, throughSeq: number): void {
    this.#deleteEntries.run(sessionId, throughSeq);
  }

  deleteSession(sessionId: string): void {
    this.#deleteEntries.run(sessionId, Number.MAX_SAFE_INTEGER);
    this.#database.prepare('DELETE FROM sessions WHERE session_id = ?').run(sessionId);
  }

  /** Finds sessions not written to since a time: fewer if they are long, but at least one if there is any. */
  sessionsBefore(writtenMs: number, most: { sessions: number; entries: number }): string[] {
    const rows = this.#database
      .prepare('SELECT session_id, oldest_seq, head_seq FROM sessions WHERE written_ms < ? LIMIT ?')
      .all(writtenMs, most.sessions);
    const found: string[] = [];
    let entries = 0;
    for (const row of rows) {
      entries += Number(row.head_seq) - Number(row.oldest_seq) + 1;
      if (found.length > 0 && entries > most.entries) break;
      found.push(String(row.session_id));
    }
    return found;
  }

  /** A number that changes whenever another connection has written. */
  dataVersion(): number {
    return Number(this.#database.prepare('PRAGMA data_version').get()?.data_version);
  }
}

function jsonOf(text: unknown): JsonValue | undefined {
  return typeof text === 'string' ? readJson(text, 'a checkpoint or note of the session is') : undefined;
}

function epochsOf(text: unknown): EpochStart[] {
  const subject = 'the writers of the session are';
  const epochs: unknown = readJson(String(text), subject);
  if (Array.isArray(epochs) && epochs.every(isEpochStart)) return epochs;
  throw malformed(subject);
}

function isEpochStart(value: unknown): value is EpochStart {
  return isRecord(value) && typeof value['epoch'] === 'string' && Number.isSafeInteger(value['fromSeq']);
}

function readJson(text: string, subject: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The message of `JSON.parse` would repeat parts of the text.
    throw malformed(subject);
  }
}

function malformed(subject: string): TypeError {
  return new TypeError(`${subject} malformed. Repair or remove the session`);
}

function textOf(value: JsonValue | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
