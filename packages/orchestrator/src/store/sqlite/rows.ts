import type { JsonObject, JsonValue } from '@svc/contracts';
import { RunStatusSchema } from '@svc/contracts/orchestrator';
import type { JournalRecord, RunRecord, RunSummary, StoredDocument } from '@svc/contracts/orchestrator';
import { documentUnreadable, runUnreadable } from '../errors.js';
import { isSet, json, text, whole, type Row } from './columns.js';

/** @throws RunStoreError `RUN_UNREADABLE` */
export function runOf(row: Row): RunRecord {
  try {
    return {
      ...namesAndTimes(row),
      ...statusAndLabels(row),
      request: json(row, 'request'),
      ...(isSet(row, 'owner') ? { owner: text(row, 'owner') } : {}),
      leaseUntilMs: whole(row, 'lease_until_ms'),
      epoch: whole(row, 'epoch'),
      lastSeq: whole(row, 'last_seq'),
    };
  } catch {
    throw runUnreadable(text(row, 'session_id'));
  }
}

export function summaryOf(row: Row): RunSummary {
  return { ...namesAndTimes(row), ...readableStatusAndLabels(row) };
}

function namesAndTimes(row: Row) {
  return {
    sessionId: text(row, 'session_id'),
    projectId: text(row, 'project_id'),
    keyId: text(row, 'key_id'),
    ...(isSet(row, 'thread_id') ? { threadId: text(row, 'thread_id') } : {}),
    createdAtMs: whole(row, 'created_at_ms'),
    updatedAtMs: whole(row, 'updated_at_ms'),
    ...(isSet(row, 'ended_at_ms') ? { endedAtMs: whole(row, 'ended_at_ms') } : {}),
  };
}

function statusAndLabels(row: Row): Pick<RunSummary, 'status' | 'labels'> {
  return { status: RunStatusSchema.parse(row['status']), labels: json(row, 'labels') as JsonObject };
}

function readableStatusAndLabels(row: Row): Pick<RunSummary, 'status' | 'labels'> {
  try {
    return statusAndLabels(row);
  } catch {
    // Reading the run itself reports the error; a list must not fail because of one run.
    return { status: 'failed', labels: {} };
  }
}

/** @throws RunStoreError `RUN_UNREADABLE` */
export function recordOf(sessionId: string, row: Row): JournalRecord {
  return {
    seq: whole(row, 'seq'),
    kind: text(row, 'kind'),
    data: readableData(row, 'data', () => runUnreadable(sessionId)),
    atMs: whole(row, 'at_ms'),
    ...(isSet(row, 'key') ? { key: text(row, 'key') } : {}),
    ...(isSet(row, 'slot') ? { slot: text(row, 'slot') } : {}),
  };
}

function readableData(row: Row, column: string, unreadable: () => Error): JsonValue {
  try {
    return json(row, column);
  } catch {
    throw unreadable();
  }
}

/** @throws RunStoreError `DOCUMENT_UNREADABLE` */
export function documentOf(row: Row): StoredDocument {
  const place = {
    projectId: text(row, 'project_id'),
    collection: text(row, 'collection'),
    id: text(row, 'id'),
  };
  return {
    ...place,
    value: readableData(row, 'value', () => documentUnreadable(place)),
    version: whole(row, 'version'),
    createdAtMs: whole(row, 'created_at_ms'),
    updatedAtMs: whole(row, 'updated_at_ms'),
    ...(isSet(row, 'expires_at_ms') ? { expiresAtMs: whole(row, 'expires_at_ms') } : {}),
  };
}
