import type { JournalRecord } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { JsonObjectSchema, JsonSchema, StepSchema, UsageSchema } from '../../planning/step-schema.js';
import { runUnreadable } from '../../store/errors.js';
import type { SessionRecord, SessionRecordData, SessionRecordKind } from './session-record.js';

// Times that a Date can have; others cannot be shown.
const timeMs = z.number().min(-8.64e15).max(8.64e15);

const strings = z.array(z.string());
const optional = { string: z.exactOptional(z.string()), strings: z.exactOptional(strings) };

const OutcomeSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), result: JsonSchema }),
  z.object({
    status: z.literal('error'),
    error: z.object({ code: z.string(), message: z.string(), retryable: z.exactOptional(z.boolean()) }),
  }),
]);

const schemas: { readonly [Kind in SessionRecordKind]: z.ZodType<SessionRecordData[Kind]> } = {
  event: z.object({ name: z.string(), payload: JsonObjectSchema }),
  step: z.object({
    number: z.number(),
    step: StepSchema,
    call_ids: strings,
    problems: optional.strings,
  }),
  call: z.object({
    call_id: z.string(),
    expires_at_ms: z.exactOptional(timeMs),
    is_agent: z.exactOptional(z.literal(true)),
  }),
  wait: z.object({ call_id: z.string(), expires_at_ms: timeMs }),
  nested: z.object({ call_id: z.string(), session_id: z.string() }),
  outcome: z.object({
    call_id: z.string(),
    outcome: OutcomeSchema,
    cause: z.enum(['posted', 'expired', 'skipped', 'system']),
    usage: z.exactOptional(UsageSchema),
  }),
  checkpoint: z.object({
    checkpoint_id: z.string(),
    data_key: z.string(),
    prompt: z.string(),
    tool_name: optional.string,
    step_number: z.number(),
    question_id: optional.string,
    call_id: optional.string,
    arg_name: optional.string,
    input_type: optional.string,
    choices: optional.strings,
    args_digest: z.string(),
    expires_at_ms: timeMs,
  }),
  answer: z.object({
    checkpoint_id: z.string(),
    value: JsonSchema,
    cause: z.enum(['posted', 'expired']),
  }),
  memory: z.object({
    items: z.array(
      z.object({
        kind: z.enum(['summary', 'skill', 'insight', 'resource']),
        id: z.string(),
        title: z.string(),
        text: z.string(),
      }),
    ),
  }),
  cancel: z.object({ code: z.string(), reason: z.string() }),
};

/**
 * Decodes a record of a session's journal; undefined for a kind of a newer version. A store may be a server that others
 * write to, so the data is checked.
 * @throws RunStoreError `RUN_UNREADABLE`
 */
export function decodeRecord(sessionId: string, record: JournalRecord): SessionRecord | undefined {
  const { kind, data, seq, atMs } = record;
  if (!isKnown(kind)) return undefined;
  const parsed = schemas[kind].safeParse(data);
  if (!parsed.success || !timeMs.safeParse(atMs).success) throw runUnreadable(sessionId);
  // The kind picks the schema, so the data is of that kind.
  return { kind, data: parsed.data, seq, atMs } as SessionRecord;
}

/** Decodes a record if it is an event. What a reader of events skips need not be readable. */
export function decodeEvent(sessionId: string, record: JournalRecord) {
  const decoded = record.kind === 'event' ? decodeRecord(sessionId, record) : undefined;
  return decoded?.kind === 'event' ? decoded : undefined;
}

const isKnown = (kind: string): kind is SessionRecordKind => Object.hasOwn(schemas, kind);
