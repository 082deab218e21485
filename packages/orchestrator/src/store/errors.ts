import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** A run store refused or could not do what it was asked. Codes: `RUN_EXISTS`, `STORE_CLOSED`, `STORE_IN_USE`. */
export class RunStoreError extends MaivnSDKError {}

/** The id of a new run is taken. */
export function runExists(sessionId: string): RunStoreError {
  return new RunStoreError(`There is a run ${sessionId} already; ids of runs are made anew for each.`, {
    code: 'RUN_EXISTS',
    details: { session_id: sessionId },
  });
}

/** The store is used after `close()`. */
export function storeClosed(): RunStoreError {
  return new RunStoreError('The run store is closed; open a new one.', { code: 'STORE_CLOSED' });
}

/** Another process works on the runs of the file. */
export function storeInUse(path: string, cause: unknown): RunStoreError {
  return new RunStoreError(
    `Another orchestrator works on ${path}. Stop it, or give this one a file of its own.`,
    { code: 'STORE_IN_USE', details: { path }, cause },
  );
}
