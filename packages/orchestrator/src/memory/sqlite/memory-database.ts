import type { DatabaseSync } from 'node:sqlite';
import { GroupCommit } from '../../store/sqlite/group-commit.js';
import { openSqlite } from '../../store/sqlite/open-sqlite.js';
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

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#commits.close();
    this.#database.close();
  }
}
