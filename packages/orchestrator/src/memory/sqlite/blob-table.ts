import type { DatabaseSync } from 'node:sqlite';

/** Limits on what is removed at once, though always at least one blob. */
const perStep = { blobs: 100, bytes: 32 * 1024 * 1024 } as const;

/**
 * The bytes of resources, stored once per project and hash. Never shared between projects, so that nobody learns what
 * others have.
 */
export class BlobTable {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      has: sql('SELECT 1 FROM memory_blobs WHERE project_id = ? AND hash = ?'),
      put: sql('INSERT OR IGNORE INTO memory_blobs (project_id, hash, bytes) VALUES (?, ?, ?)'),
      unused: sql(`SELECT rowid, length(bytes) AS size FROM memory_blobs
        WHERE rowid > ? AND NOT EXISTS (SELECT 1 FROM memory_assets AS asset
        WHERE asset.project_id = memory_blobs.project_id AND asset.kind = 'resource'
        AND asset.content_hash = memory_blobs.hash) ORDER BY rowid LIMIT ?`),
      remove: sql('DELETE FROM memory_blobs WHERE rowid = ?'),
    };
  }

  has(projectId: string, hash: string): boolean {
    return this.#statements.has.get(projectId, hash) !== undefined;
  }

  put(projectId: string, hash: string, bytes: Uint8Array): void {
    this.#statements.put.run(projectId, hash, bytes);
  }

  /**
   * Returns a function that removes a batch of unreferenced blobs per call, so that other work gets its turn in
   * between. It returns how many it removed: 0 when it has checked every blob once.
   */
  sweep(): () => number {
    let after = 0;
    return () => {
      let removed = 0;
      let bytesLeft: number = perStep.bytes;
      for (const { rowid, size } of this.#statements.unused.all(after, perStep.blobs)) {
        bytesLeft -= Number(size);
        if (removed > 0 && bytesLeft < 0) break;
        after = Number(rowid);
        this.#statements.remove.run(after);
        removed += 1;
      }
      return removed;
    };
  }
}
