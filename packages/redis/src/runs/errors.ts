import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** A run store refused what it was asked. Codes: `RUN_EXISTS`, `RUN_UNREADABLE`, `STORE_CLOSED`. */
export class RunStoreError extends MaivnSDKError {}

/** The id of a new run is taken. */
export function runExists(sessionId: string): RunStoreError {
  return new RunStoreError(`There is a run ${sessionId} already; ids of runs are made anew for each.`, {
    code: 'RUN_EXISTS',
    details: { session_id: sessionId },
  });
}

/** What is stored of a run is malformed. Without a cause: what `JSON.parse` says repeats some of it. */
export function runUnreadable(sessionId: string): RunStoreError {
  return new RunStoreError(
    `What the store holds of the run ${sessionId} is malformed. Mend or remove it, then start again.`,
    { code: 'RUN_UNREADABLE', details: { session_id: sessionId } },
  );
}

/** The store is used after `close()`. */
export function storeClosed(): RunStoreError {
  return new RunStoreError('The run store is closed; open a new one.', { code: 'STORE_CLOSED' });
}
