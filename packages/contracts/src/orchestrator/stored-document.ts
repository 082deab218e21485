import type { JsonValue } from '../json.js';

/** The address of a document. `projectId` is empty for documents without a project, such as API keys. */
export interface DocumentPlace {
  readonly projectId: string;
  readonly collection: string;
  readonly id: string;
}

/** One document: a key, a turn of a thread, a memory record. */
export interface StoredDocument extends DocumentPlace {
  readonly value: JsonValue;
  /** Starts at 1 and increases by 1 with each write. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The time from which the document is no longer found. */
  readonly expiresAtMs?: number;
}

/** One write of a document. */
export interface DocumentWrite extends DocumentPlace {
  readonly value: JsonValue;
  readonly nowMs: number;
  readonly expiresAtMs?: number;
  /** Write only if this is the current version; 0 means only if there is no document. Without it, always write. */
  readonly ifVersion?: number;
}

/** Selects the documents of a list: oldest first by creation, or newest first with `newestFirst`. */
export interface DocumentQuery {
  readonly projectId: string;
  readonly collection: string;
  readonly nowMs: number;
  readonly limit: number;
  readonly newestFirst?: boolean;
}
