import { closeSync, existsSync, openSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { positiveMs, readOptions, show } from '../check-option.js';
import { EventLogUnavailableError, LogClosedError, LogGapError, StaleEpochError } from '../errors.js';
import { epochAt, mayBecomeWriter, withEpoch } from './epoch-list.js';
import { createEpoch } from './epoch.js';
import type {
  EventLog,
  LogEvent,
  OpenedSession,
  ReadFrom,
  SessionStatus,
  TrimTo,
  WriterToken,
} from './event-log.js';
import { createLogPage } from './log-page.js';
import type { LogPage, PageEntry } from './log-page.js';
import { PollingFollowers } from './polling-followers.js';
import { SqliteTables } from './sqlite-tables.js';
import type { SessionRow } from './sqlite-tables.js';

/** The options of {@link sqliteEventLog}. */
export interface SqliteEventLogOptions {
  /** The file, created if missing. Several processes of one machine may share it. `:memory:` is lost on close. */
  path: string;
  /** How often readers check for events of other processes, in milliseconds. @default 100 */
  pollIntervalMs?: number | undefined;
  /** Sessions without a write for this long are deleted, in milliseconds. @default 30 days */
  retentionMs?: number | undefined;
}

interface WaitingAppend {
  readonly event: LogEvent;
  readonly epoch: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** The maximum deleted at once: meanwhile nothing else runs, in any process using the file. */
const MOST_FORGOTTEN = { sessions: 20, entries: 2000 };
const LARGEST_PAGE_BYTES = 256 * 1024;
const LARGEST_PAGE_ENTRIES = 500;

/**
 * Opens an event log in a SQLite file, which keeps sessions across restarts. All appends of one event loop turn are
 * written in one transaction. Acknowledged events survive the end of the process; a power failure may lose the last
 * moments.
 *
 * @throws RangeError or TypeError naming the invalid option.
 * @throws EventLogUnavailableError if the file cannot be opened, or this Node has no SQLite.
 */
export function sqliteEventLog(options: SqliteEventLogOptions): EventLog & AsyncDisposable {
  const { path }: { path?: unknown } = Object(options);
  if (typeof path !== 'string')
    throw new TypeError(`path must be a string, got ${typeof path}: pass { path } with a file or ':memory:'`);
  return new SqliteEventLog(options);
}

class SqliteEventLog implements EventLog, AsyncDisposable {
  readonly #retentionMs: number;
  readonly #database: Sqlite.DatabaseSync;
  readonly #tables: SqliteTables;
  readonly #followers: PollingFollowers;
  #waiting: WaitingAppend[] = [];
  #sweptMs = 0;
  #isClosed = false;

  constructor(options: SqliteEventLogOptions) {
    const {
      path,
      pollIntervalMs = 100,
      retentionMs = 30 * DAY_MS,
    } = readOptions('sqliteEventLog', options, { path: true, pollIntervalMs: true, retentionMs: true });
    this.#retentionMs = positive('retentionMs', retentionMs);
    const everyMs = positiveMs('pollIntervalMs', pollIntervalMs);
    [this.#database, this.#tables] = unavailableOnError(`open ${path}`, () => openTables(path));
    this.#followers = new PollingFollowers({
      everyMs,
      read: (sessionId, afterSeq) => ({
        page: this.#page(sessionId, afterSeq),
        session: unavailableOnError('read', () => this.#tables.readWriters(sessionId)),
      }),
      version: () => unavailableOnError('read', () => this.#tables.dataVersion()),
    });
  }

  async open(sessionId: string, writer?: WriterToken): Promise<OpenedSession> {
    this.#settle();
    const opened = unavailableOnError('open a session', () =>
      this.#tables.transaction(() => {
        this.#sweep();
        const row = this.#tables.readSession(sessionId) ?? emptyRow;
        if (!mayBecomeWriter(row.epochs, writer)) return undefined;
        const epoch = createEpoch();
        const session = { ...row, epochs: withEpoch(row.epochs, { epoch, fromSeq: row.headSeq + 1 }) };
        this.#tables.writeSession(sessionId, session, Date.now());
        return { ...session, epoch, notes: this.#tables.readNotes(sessionId) };
      }),
    );
    if (opened === undefined) throw new StaleEpochError(sessionId);
    return opened;
  }

  async inspect(sessionId: string): Promise<SessionStatus | undefined> {
    this.#settle();
    const row = unavailableOnError('read', () => this.#tables.readSession(sessionId));
    if (row === undefined) return undefined;
    const { checkpoint: _, ...status } = row;
    return status;
  }

  append(event: LogEvent, { epoch }: WriterToken): Promise<void> {
    if (this.#isClosed) return Promise.reject(new LogClosedError());
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ event, epoch, resolve, reject }) === 1) setImmediate(() => this.#flush());
    });
  }

  async readAfter(sessionId: string, { afterSeq }: ReadFrom): Promise<LogPage> {
    this.#settle();
    return this.#page(sessionId, afterSeq) ?? createLogPage([], afterSeq + 1);
  }

  follow(sessionId: string, from: ReadFrom & { readonly signal?: AbortSignal }): AsyncIterable<LogPage> {
    return this.#followers.follow(sessionId, from);
  }

  async trim(sessionId: string, { throughSeq, checkpoint, epoch }: TrimTo): Promise<void> {
    this.#settle();
    unavailableOnError('trim', () =>
      this.#tables.transaction(() => {
        const row = this.#tables.readSession(sessionId);
        if (row === undefined || row.epochs.at(-1)?.epoch !== epoch) return;
        this.#tables.deleteEntries(sessionId, throughSeq);
        const oldestSeq = Math.max(row.oldestSeq, Math.min(throughSeq, row.headSeq) + 1);
        this.#tables.writeSession(sessionId, { ...row, oldestSeq, checkpoint }, Date.now());
      }),
    );
  }

  async remove(sessionId: string): Promise<void> {
    this.#settle();
    unavailableOnError('remove a session', () =>
      this.#tables.transaction(() => this.#tables.deleteSession(sessionId)),
    );
    this.#followers.end(sessionId);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    this.#followers.close();
    this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Writes the waiting appends, so that the next operation comes after them. */
  #settle(): void {
    if (this.#isClosed) throw new LogClosedError();
    this.#flush();
  }

  #flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    let settlements: (() => void)[];
    try {
      settlements = this.#tables.transaction(() => this.#write(waiting));
    } catch (error) {
      const failure = new EventLogUnavailableError('append', error);
      for (const { reject } of waiting) reject(failure);
      return;
    }
    for (const settle of settlements) settle();
    for (const { event } of waiting) this.#followers.wake(event.sessionId);
  }

  /** Writes appends in order; returns the functions that settle them after the commit. */
  #write(appends: readonly WaitingAppend[]): (() => void)[] {
    const rows = new Map<string, SessionRow | undefined>();
    const settlements = appends.map(({ event, epoch, resolve, reject }) => {
      const { sessionId } = event;
      if (!rows.has(sessionId)) rows.set(sessionId, this.#tables.readSession(sessionId));
      const outcome = this.#writeOne(event, epoch, rows.get(sessionId));
      if (outcome instanceof Error) return () => reject(outcome);
      rows.set(sessionId, outcome);
      return resolve;
    });
    const nowMs = Date.now();
    for (const [sessionId, row] of rows) if (row) this.#tables.writeSession(sessionId, row, nowMs);
    return settlements;
  }

  #writeOne(event: LogEvent, epoch: string, row: SessionRow | undefined): SessionRow | Error {
    const { sessionId, seq, kind } = event;
    if (row === undefined || row.epochs.at(-1)?.epoch !== epoch) return new StaleEpochError(sessionId);
    const { headSeq } = row;
    if (seq <= headSeq && epochAt(row.epochs, seq) === epoch) return row;
    if (seq !== headSeq + 1) return new LogGapError(sessionId, { seq, headSeq });
    this.#tables.insertEntry(event);
    return { ...row, headSeq: seq, headKind: kind, turnSeq: kind === 'turn_start' ? seq : row.turnSeq };
  }

  #page(sessionId: string, afterSeq: number): LogPage | undefined {
    return unavailableOnError('read', () => {
      const entries = withinPage(this.#tables.readEntries(sessionId, afterSeq));
      return entries.length === 0 ? undefined : createLogPage(entries);
    });
  }

  #sweep(): void {
    const nowMs = Date.now();
    if (nowMs - this.#sweptMs < SWEEP_EVERY_MS) return;
    const old = this.#tables.sessionsBefore(nowMs - this.#retentionMs, MOST_FORGOTTEN);
    for (const sessionId of old) {
      this.#tables.deleteSession(sessionId);
      this.#followers.wake(sessionId);
    }
    // If there may be more, opening the next session continues the sweep.
    if (old.length === 0) this.#sweptMs = nowMs;
  }
}

/** Loads `node:sqlite` only here, so that this file can be imported on a Node without it and the error says so. */
function openDatabase(path: string): Sqlite.DatabaseSync {
  const sqlite: typeof Sqlite | undefined = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) {
    throw new Error(
      `node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer, without --no-experimental-sqlite`,
    );
  }
  // SQLite would open a different file than the one created here, or none.
  if (path.startsWith('file:')) throw new Error("SQLite takes it for a URL; pass the path without 'file:'");
  // Only the owner may read the file, which contains user data; SQLite gives its other files the same permissions.
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  return new sqlite.DatabaseSync(path);
}

function openTables(path: string): [Sqlite.DatabaseSync, SqliteTables] {
  const database = openDatabase(path);
  try {
    return [database, new SqliteTables(database)];
  } catch (error) {
    database.close();
    throw error;
  }
}

const emptyRow: SessionRow = {
  epochs: [],
  oldestSeq: 1,
  headSeq: 0,
  turnSeq: 0,
  headKind: undefined,
  checkpoint: undefined,
};

function withinPage(entries: Iterable<PageEntry>): readonly PageEntry[] {
  const page: PageEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.frames.length;
    if (page.length > 0 && bytes > LARGEST_PAGE_BYTES) break;
    page.push(entry);
    if (page.length === LARGEST_PAGE_ENTRIES) break;
  }
  return page;
}

function unavailableOnError<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new EventLogUnavailableError(action, error);
  }
}

function positive(name: string, value: number): number {
  if (value > 0) return value;
  throw new RangeError(`${name} must be more than 0 ms, got ${show(value)}`);
}
