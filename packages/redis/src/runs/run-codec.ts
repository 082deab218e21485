import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalRecord, RunRecord, RunSummary } from '@svc/contracts/orchestrator';
import { seqOfId, type StreamEntry } from '../log/page-codec.js';

type RunStatus = RunRecord['status'];

/** Reads the fields of a run as the scripts answer them; undefined when it is not there. */
export function decodeRun(sessionId: string, reply: unknown): RunRecord | undefined {
  if (!Array.isArray(reply)) return undefined;
  const [project, key, thread, status, created, updated, ended, labels, request, owner, lease, epoch, last] =
    (reply as (string | null)[]).map((field) => field ?? undefined);
  if (project === undefined || epoch === undefined) return undefined;
  return {
    sessionId,
    projectId: project,
    keyId: key ?? '',
    ...(thread !== undefined && { threadId: thread }),
    status: (status ?? 'pending') as RunStatus,
    createdAtMs: Number(created),
    updatedAtMs: Number(updated),
    ...(ended !== undefined && { endedAtMs: Number(ended) }),
    labels: JSON.parse(labels ?? '{}') as JsonObject,
    request: JSON.parse(request ?? 'null') as JsonValue,
    ...(owner !== undefined && { owner }),
    ...(lease !== undefined && { leaseUntilMs: Number(lease) }),
    epoch: Number(epoch),
    lastSeq: Number(last),
  };
}

/** The part of a run that lists show. */
export function summaryOf(run: RunRecord): RunSummary {
  const {
    request: _request,
    owner: _owner,
    leaseUntilMs: _lease,
    epoch: _epoch,
    lastSeq: _last,
    ...summary
  } = run;
  return summary;
}

const fieldNames = { k: 'kind', d: 'data', a: 'atMs', y: 'key', s: 'slot' } as const;

/** Reads a record of a journal. */
export function decodeRecord([id, fields]: StreamEntry): JournalRecord {
  const texts: Partial<Record<(typeof fieldNames)[keyof typeof fieldNames], string>> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fieldNames[fields[i]?.toString('latin1') as keyof typeof fieldNames];
    if (name !== undefined) texts[name] = fields[i + 1]?.toString() ?? '';
  }
  return {
    seq: seqOfId(id),
    kind: texts.kind ?? '',
    data: JSON.parse(texts.data ?? 'null') as JsonValue,
    ...(texts.key !== undefined && { key: texts.key }),
    ...(texts.slot !== undefined && { slot: texts.slot }),
    atMs: Number(texts.atMs),
  };
}
