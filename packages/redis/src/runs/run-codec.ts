import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalRecord, RunRecord, RunSummary } from '@svc/contracts/orchestrator';
import { RunStatusSchema } from '@svc/contracts/orchestrator';
import { countOf, requiredText, timeOf } from '../stored-text.js';
import { seqOfId, type StreamEntry } from '../stream-entry.js';
import { runUnreadable } from './errors.js';

type RunFields = readonly (string | undefined)[];

/**
 * Decodes a run from a script's reply; undefined if there is no such run.
 * @throws RunStoreError `RUN_UNREADABLE`
 */
export function decodeRun(sessionId: string, reply: unknown): RunRecord | undefined {
  const fields = fieldsOf(reply);
  if (!fields) return undefined;
  const [request, owner, lease, epoch, last] = fields.slice(8);
  try {
    return {
      ...decodeFields(sessionId, fields),
      request: JSON.parse(requiredText(request)) as JsonValue,
      owner: requiredText(owner),
      leaseUntilMs: timeOf(lease),
      epoch: countOf(epoch),
      lastSeq: countOf(last),
    };
  } catch {
    throw runUnreadable(sessionId);
  }
}

/**
 * Decodes a run's summary from a script's reply; undefined if there is no such run. `indexedAtMs` is its creation time in
 * the index.
 */
export function decodeSummary(
  sessionId: string,
  reply: unknown,
  indexedAtMs: number,
): RunSummary | undefined {
  const fields = fieldsOf(reply);
  if (!fields) return undefined;
  try {
    return decodeFields(sessionId, fields);
  } catch {
    // Reading the run itself reports the error; one malformed run must not fail a whole list.
    const times = { createdAtMs: indexedAtMs, updatedAtMs: indexedAtMs };
    return { ...namesOf(sessionId, fields), status: 'failed', labels: {}, ...times };
  }
}

function fieldsOf(reply: unknown): RunFields | undefined {
  if (!Array.isArray(reply)) return undefined;
  const fields = (reply as (string | null)[]).map((field) => field ?? undefined);
  return fields[0] === undefined ? undefined : fields;
}

function decodeFields(sessionId: string, fields: RunFields): RunSummary {
  const [status, created, updated, ended, labels] = fields.slice(3);
  return {
    ...namesOf(sessionId, fields),
    status: RunStatusSchema.parse(status),
    createdAtMs: timeOf(created),
    updatedAtMs: timeOf(updated),
    ...(ended !== undefined && { endedAtMs: timeOf(ended) }),
    labels: JSON.parse(requiredText(labels)) as JsonObject,
  };
}

function namesOf(sessionId: string, [project = '', key = '', thread]: RunFields) {
  return { sessionId, projectId: project, keyId: key, ...(thread !== undefined && { threadId: thread }) };
}

const fieldNames = { k: 'kind', d: 'data', a: 'atMs', y: 'key', s: 'slot' } as const;

/**
 * Decodes a record of a run's journal.
 * @throws RunStoreError `RUN_UNREADABLE`
 */
export function decodeRecord(sessionId: string, [id, fields]: StreamEntry): JournalRecord {
  const texts: Partial<Record<(typeof fieldNames)[keyof typeof fieldNames], string>> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fieldNames[fields[i]?.toString('latin1') as keyof typeof fieldNames];
    if (name !== undefined) texts[name] = fields[i + 1]?.toString() ?? '';
  }
  return {
    seq: seqOfId(id),
    kind: texts.kind ?? '',
    data: readableData(sessionId, texts.data ?? 'null'),
    ...(texts.key !== undefined && { key: texts.key }),
    ...(texts.slot !== undefined && { slot: texts.slot }),
    atMs: Number(texts.atMs),
  };
}

function readableData(sessionId: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw runUnreadable(sessionId);
  }
}
