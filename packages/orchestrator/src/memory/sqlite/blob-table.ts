import type { DatabaseSync } from 'node:sqlite';

/** The bytes of resources, once per project and hash. Never shared between projects, so nobody learns what others have. */
export class BlobTable {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      has: sql('SELECT 1 FROM memory_blobs WHERE project_id = ? AND hash = ?'),
      put: sql('INSERT OR IGNORE INTO memory_blobs (project_id, hash, bytes) VALUES (?, ?, ?)'),
      sweep: sql(`DELETE FROM memory_blobs WHERE NOT EXISTS (SELECT 1 FROM memory_assets AS asset
        WHERE asset.project_id = memory_blobs.project_id AND asset.kind = 'resource'
        AND asset.content_hash = memory_blobs.hash)`),
    };
  }

  has(projectId: string, hash: string): boolean {
    return this.#statements.has.get(projectId, hash) !== undefined;
  }

  put(projectId: string, hash: string, bytes: Uint8Array): void {
    this.#statements.put.run(projectId, hash, bytes);
  }

  /** Removes bytes that no record refers to any more. */
  sweep(): void {
    this.#statements.sweep.run();
  }
}
