import type { JsonValue } from '../json.js';

/** Where a document stands. `projectId` is empty for what belongs to no project, such as the keys. */
export interface DocumentPlace {
  readonly projectId: string;
  readonly collection: string;
  readonly id: string;
}

/** One document: a key, a turn of a thread, a memory record. */
export interface StoredDocument extends DocumentPlace {
  readonly value: JsonValue;
  /** 1 when created, one more with each write. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** From then on the document is not found any more. */
  readonly expiresAtMs?: number;
}

/** One write of a document. */
export interface DocumentWrite extends DocumentPlace {
  readonly value: JsonValue;
  readonly nowMs: number;
  readonly expiresAtMs?: number;
  /** Write only over this version; 0 means only when there is none. Without it the write always happens. */
  readonly ifVersion?: number;
}

/** Which documents a list holds: oldest first by creation, or the newest first with `newestFirst`. */
export interface DocumentQuery {
  readonly projectId: string;
  readonly collection: string;
  readonly nowMs: number;
  readonly limit: number;
  readonly newestFirst?: boolean;
}
