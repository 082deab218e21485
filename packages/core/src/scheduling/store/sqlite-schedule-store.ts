import { closeSync, existsSync, openSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { invalidOption, parseText, refuseUnknownOptions } from '../../config/options.js';
import { messageOf } from '../../message-of.js';
import { ScheduleError } from '../errors.js';
import { LedgerSchema, SettledFireSchema, type SettledFire } from './ledger.js';
import type { LedgerChange, ScheduleStore, StoredLedger } from './schedule-store.js';
import { switchToWal } from './switch-to-wal.js';

/** Options of {@link sqliteScheduleStore}. */
export interface SqliteScheduleStoreOptions {
  /** The path of the file, created if it does not exist. */
  path: string;
  /** How many ended fires are kept for each job. @default 1000 */
  maxRecordsPerJob?: number | undefined;
}

/** How long a writer waits for another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 1_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS svc_jobs (name TEXT PRIMARY KEY, version INTEGER NOT NULL, ledger TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS svc_fires (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, fire TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS svc_fires_by_job ON svc_fires (name, seq);
`;

/**
 * Keeps ledgers in a file, so that jobs continue after a restart and several processes can share them.
 *
 * @throws ConfigurationError `CONFIG_UNKNOWN_OPTION` for an unknown option, `CONFIG_INVALID_OPTION` without a path.
 * @throws RangeError for a `maxRecordsPerJob` that is not a positive integer.
 * @throws ScheduleError `SCHEDULE_STORE_UNAVAILABLE` if the file cannot be opened, or this Node.js has no SQLite. The
 *   store's methods reject with it if the file cannot be read or written, as on a full disk.
 */
export function sqliteScheduleStore(options: SqliteScheduleStoreOptions): ScheduleStore & AsyncDisposable {
  refuseUnknownOptions(options, ['path', 'maxRecordsPerJob'], 'sqliteScheduleStore');
  const path = parseText(options.path, 'path', 'sqliteScheduleStore');
  if (!path)
    throw invalidOption('sqliteScheduleStore:', "path must be the path of a file, or ':memory:'", ['path']);
  const maxRecordsPerJob = options.maxRecordsPerJob ?? 1_000;
  if (!Number.isInteger(maxRecordsPerJob) || maxRecordsPerJob < 1) {
    throw new RangeError(
      `sqliteScheduleStore: maxRecordsPerJob must be an integer of at least 1, got ${String(maxRecordsPerJob)}.`,
    );
  }
  return new SqliteScheduleStore(openDatabase(path), maxRecordsPerJob);
}

function openDatabase(path: string): Sqlite.DatabaseSync {
  // Loaded only here, because Node.js warns that its SQLite is experimental as soon as it is imported.
  const sqlite: typeof Sqlite | undefined = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) {
    throw storeUnavailable(
      `node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer, without --no-experimental-sqlite.`,
    );
  }
  let database: Sqlite.DatabaseSync | undefined;
  try {
    // SQLite would open a different file than the one created here, or none.
    if (path.startsWith('file:')) throw new Error("SQLite takes it for a URL; pass the path without 'file:'");
    // Stored errors must not be readable by others; the files that SQLite creates next to it get the same permissions.
    if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    database = new sqlite.DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    switchToWal(database);
    database.exec('PRAGMA synchronous = NORMAL');
    database.exec(SCHEMA);
    return database;
  } catch (cause) {
    database?.close();
    throw storeUnavailable(
      `The schedule store cannot open ${path}: ${messageOf(cause)}. Check the path, its permissions and the disk.`,
      cause,
    );
  }
}

function storeUnavailable(message: string, cause?: unknown): ScheduleError {
  return new ScheduleError(message, { code: 'SCHEDULE_STORE_UNAVAILABLE', cause });
}

class SqliteScheduleStore implements ScheduleStore, AsyncDisposable {
  readonly #database: Sqlite.DatabaseSync;
  readonly #maxRecords: number;
  readonly #statements: Record<
    'load' | 'insert' | 'update' | 'record' | 'trim' | 'history',
    Sqlite.StatementSync
  >;

  constructor(database: Sqlite.DatabaseSync, maxRecords: number) {
    this.#database = database;
    this.#maxRecords = maxRecords;
    this.#statements = {
      load: database.prepare('SELECT version, ledger FROM svc_jobs WHERE name = ?'),
      insert: database.prepare(
        'INSERT INTO svc_jobs (name, version, ledger) VALUES (?, 1, ?) ON CONFLICT DO NOTHING',
      ),
      update: database.prepare(
        'UPDATE svc_jobs SET version = version + 1, ledger = ? WHERE name = ? AND version = ?',
      ),
      record: database.prepare('INSERT INTO svc_fires (name, fire) VALUES (?, ?)'),
      trim: database.prepare(
        'DELETE FROM svc_fires WHERE name = ? AND seq <= (SELECT seq FROM svc_fires WHERE name = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
      ),
      history: database.prepare('SELECT fire FROM svc_fires WHERE name = ? ORDER BY seq DESC LIMIT ?'),
    };
  }

  async load(jobName: string): Promise<StoredLedger | undefined> {
    const row = this.#use(() => this.#statements.load.get(jobName));
    if (!row) return undefined;
    return { version: Number(row['version']), ledger: read(LedgerSchema, row['ledger'], jobName) };
  }

  async save(jobName: string, { expectedVersion, ledger, settled }: LedgerChange): Promise<boolean> {
    const { insert, update } = this.#statements;
    const text = JSON.stringify(ledger);
    return this.#use(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const { changes } =
          expectedVersion === 0 ? insert.run(jobName, text) : update.run(text, jobName, expectedVersion);
        if (Number(changes) === 1) this.#record(jobName, settled);
        this.#database.exec('COMMIT');
        return Number(changes) === 1;
      } catch (error) {
        // A full disk has already ended the transaction, and the error of a second rollback would hide the cause.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  async history(jobName: string, limit: number): Promise<readonly SettledFire[]> {
    const rows = this.#use(() => this.#statements.history.all(jobName, limit));
    return rows.reverse().map((row) => read(SettledFireSchema, row['fire'], jobName));
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #record(jobName: string, settled: readonly SettledFire[]): void {
    if (settled.length === 0) return;
    for (const fire of settled) this.#statements.record.run(jobName, JSON.stringify(fire));
    this.#statements.trim.run(jobName, jobName, this.#maxRecords);
  }

  #use<Result>(work: () => Result): Result {
    if (!this.#database.isOpen)
      throw new ScheduleError('The schedule store is closed.', { code: 'SCHEDULE_STORE_CLOSED' });
    try {
      return work();
    } catch (cause) {
      throw storeUnavailable(`The schedule store failed: ${messageOf(cause)}.`, cause);
    }
  }
}

function read<Value>(schema: { parse(value: unknown): Value }, text: unknown, jobName: string): Value {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch (error) {
    throw new ScheduleError(
      `The stored data of the job '${jobName}' is invalid. Remove it, or use another file.`,
      {
        code: 'SCHEDULE_STORE_UNREADABLE',
        details: { job: jobName },
        // Without a SyntaxError, whose message quotes the text.
        ...(!(error instanceof SyntaxError) && { cause: error }),
      },
    );
  }
}
