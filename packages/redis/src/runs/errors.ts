import type { DocumentPlace } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { RedisError } from '../errors.js';

/**
 * A run store refused an operation. Codes: `DOCUMENT_UNREADABLE`, `RUN_EXISTS`, `RUN_UNREADABLE`, `STORE_CLOSED`,
 * `TOO_MANY_RUNS`.
 */
export class RunStoreError extends MaivnSDKError {}

/** The id of a new run is taken. */
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

/** The stored data of a run is malformed. Has no cause: the message of `JSON.parse` repeats parts of the data. */
export function runUnreadable(sessionId: string): RunStoreError {
  return new RunStoreError(
    `The stored data of the run ${sessionId} is malformed. Repair or remove it, then start again.`,
    { code: 'RUN_UNREADABLE', details: { session_id: sessionId } },
  );
}

/** The error of a step on one run. What is stored of a run refuses a step every time, unlike an outage. */
export function runFailure(sessionId: string, error: unknown): unknown {
  const { message = '' } = error instanceof RedisError && error.cause instanceof Error ? error.cause : {};
  return /\bWRONGTYPE\b|specified in XADD/.test(message) ? runUnreadable(sessionId) : error;
}

/** A stored document is malformed. Has no cause, as in `runUnreadable`. */
export function documentUnreadable({
  collection,
  id,
}: Pick<DocumentPlace, 'collection' | 'id'>): RunStoreError {
  return new RunStoreError(`The stored document ${id} in ${collection} is malformed. Repair or remove it.`, {
    code: 'DOCUMENT_UNREADABLE',
    details: { collection, id },
  });
}

/** The store is used after `close()`. */
export function storeClosed(): RunStoreError {
  return new RunStoreError('The run store is closed; open a new one.', { code: 'STORE_CLOSED' });
}
