import type { DatabaseSync } from 'node:sqlite';
import { storeFailed } from '../../store/errors.js';
import { isDatabaseError } from '../../store/sqlite/database-error.js';
import { GroupCommit } from '../../store/sqlite/group-commit.js';
import { BUSY_TIMEOUT_MS, openSqlite } from '../../store/sqlite/open-sqlite.js';
import { AssetTable } from './asset-table.js';
import { BlobTable } from './blob-table.js';
import { EdgeTable } from './edge-table.js';
import { MemoryCleaner } from './memory-cleaner.js';
import { migrateMemory } from './memory-schema.js';
import { PolicyTable } from './policy-table.js';
import { RememberedRuns } from './remembered-runs.js';

/** The memory database: a file, or `:memory:`. Reads are synchronous; writes go through `write`. */
export class MemoryDatabase {
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;
  readonly assets: AssetTable;
  readonly blobs: BlobTable;
  readonly edges: EdgeTable;
  readonly policies: PolicyTable;
  readonly runs: RememberedRuns;
  readonly cleaner: MemoryCleaner;
  #closed = false;

  constructor(path: string) {
    const database = openSqlite({ path, synchronous: 'full', migrate: migrateMemory });
    this.#database = database;
    this.#commits = new GroupCommit(database);
    this.assets = new AssetTable(database);
    this.blobs = new BlobTable(database);
    this.edges = new EdgeTable(database);
    this.policies = new PolicyTable(database);
    this.runs = new RememberedRuns(database);
    this.cleaner = new MemoryCleaner(database);
  }

  /** Runs one transaction, on disk when the promise resolves. The function may only throw before it has written. */
  write<Result>(run: () => Result): Promise<Result> {
    return this.#commits.write(run);
  }

  /**
   * Moves everything into the file and empties its write-ahead log, which still contains what was deleted. Does nothing
   * while another process reads the file.
   * @throws RunStoreError `STORE_UNAVAILABLE` when the database fails
   */
  emptyLog(): void {
    if (this.#closed) return;
    // Without waiting: a backup that is reading would stop this process for as long.
    try {
      this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      throw isDatabaseError(error) ? storeFailed('written', error) : error;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#commits.close();
    this.#database.close();
  }
}
