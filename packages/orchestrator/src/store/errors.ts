import type { DocumentPlace } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';

/**
 * A run store refused an operation or could not perform it. Codes: `DOCUMENT_UNREADABLE`, `RUN_EXISTS`, `RUN_UNREADABLE`,
 * `STORE_CLOSED`, `STORE_IN_USE`, `STORE_UNAVAILABLE`, `TOO_MANY_RUNS`.
 */
class RunStoreError extends MaivnSDKError {}

/** The id of a new run is already in use. */
export function runExists(sessionId: string): RunStoreError {
  return new RunStoreError(`The run ${sessionId} already exists; use a new id for each run.`, {
    code: 'RUN_EXISTS',
    details: { session_id: sessionId },
  });
}

/** The project already has as many unfinished runs as the new one allows. */
export function tooManyRuns(projectId: string, maxOpenRuns: number): RunStoreError {
  return new RunStoreError(
    `The project ${projectId} has ${maxOpenRuns} unfinished runs or more; wait until one ends.`,
    { code: 'TOO_MANY_RUNS', details: { project_id: projectId, limit: maxOpenRuns } },
  );
}

/** The stored data of a run is malformed. There is no cause, because the message of `JSON.parse` quotes some of it. */
export function runUnreadable(sessionId: string): RunStoreError {
  return new RunStoreError(
    `The stored data of the run ${sessionId} is malformed. Repair or remove it, then start again.`,
    { code: 'RUN_UNREADABLE', details: { session_id: sessionId } },
  );
}

/** A stored document is malformed. There is no cause, as in `runUnreadable`. */
export function documentUnreadable({
  collection,
  id,
}: Pick<DocumentPlace, 'collection' | 'id'>): RunStoreError {
  return new RunStoreError(`The stored document ${id} in ${collection} is malformed. Repair or remove it.`, {
    code: 'DOCUMENT_UNREADABLE',
    details: { collection, id },
  });
}

/** The store was used after `close()`. */
export function storeClosed(): RunStoreError {
  return new RunStoreError('The run store is closed; open a new one.', { code: 'STORE_CLOSED' });
}

/** Memory was used after `close()`. */
export function memoryClosed(): RunStoreError {
  return new RunStoreError('The memory is closed; create another orchestrator.', { code: 'STORE_CLOSED' });
}

/** The file cannot be opened. */
export function storeUnavailable(path: string, cause: unknown): RunStoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new RunStoreError(
    `The store cannot open ${path}: ${why}. Check the path, its permissions and the disk.`,
    {
      code: 'STORE_UNAVAILABLE',
      details: { path },
      cause,
    },
  );
}

/** The file cannot be read or written. */
export function storeFailed(access: 'read' | 'written', cause: unknown): RunStoreError {
  // SQLite's fixed text for its error code, because its message may quote the statement.
  const reason = cause instanceof Error && 'errstr' in cause ? String(cause.errstr) : 'unknown reason';
  return new RunStoreError(`The store cannot be ${access}: ${reason}. Check the disk and the file.`, {
    code: 'STORE_UNAVAILABLE',
    cause,
  });
}

/** An operation has had no answer for this long; it may still take effect. */
export function storeSilent(waitedMs: number): RunStoreError {
  return new RunStoreError(
    `The store has not answered for ${waitedMs / 1000} seconds. Check that it is reachable; what waits for it continues then.`,
    { code: 'STORE_UNAVAILABLE', details: { waited_ms: waitedMs } },
  );
}

/** This Node has no SQLite. */
export function sqliteMissing(): RunStoreError {
  return new RunStoreError(
    `node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer, without --no-experimental-sqlite.`,
    { code: 'STORE_UNAVAILABLE', details: { node: process.version } },
  );
}

/** Another process works on the runs in the file. */
export function storeInUse(path: string, cause: unknown): RunStoreError {
  return new RunStoreError(
    `Another orchestrator is using ${path}. Stop it, or use a different file for this one.`,
    { code: 'STORE_IN_USE', details: { path }, cause },
  );
}
