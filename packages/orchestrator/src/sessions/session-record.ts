import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalEntry, JournalRecord } from '@svc/contracts/orchestrator';
import type { CallOutcome, RecalledItem } from '../planning/plan-context.js';
import type { PlanStep, PlanUsage } from '../planning/plan-step.js';

/** An event of the session's stream. */
export interface EventData {
  readonly name: string;
  readonly payload: JsonObject;
}

/** A step as the planner decided it. With `problems` it was refused; otherwise its calls have their ids, in order. */
export interface StepData {
  readonly number: number;
  readonly step: PlanStep;
  readonly call_ids: readonly string[];
  readonly problems?: readonly string[];
}

/** A call was sent out (or a system tool started), and until when its result is waited for. */
export interface CallData {
  readonly call_id: string;
  readonly expires_at_ms?: number;
  /** The call invokes another agent. */
  readonly is_agent?: true;
}

/** Until when a call's result is waited for from now on. Only the newest counts. */
export interface WaitData {
  readonly call_id: string;
  readonly expires_at_ms: number;
}

/** A session of its own was started to answer a call. */
export interface NestedData {
  readonly call_id: string;
  readonly session_id: string;
}

/** How a call ended, and who said so. */
export interface OutcomeData {
  readonly call_id: string;
  readonly outcome: CallOutcome;
  readonly cause: 'posted' | 'expired' | 'skipped' | 'system';
  /** Tokens that the call used, when the orchestrator ran it. */
  readonly usage?: PlanUsage;
}

/** A person is asked. The answer is for a question of an ask step, or for an argument of a call. */
export interface CheckpointData {
  readonly checkpoint_id: string;
  readonly data_key: string;
  readonly prompt: string;
  readonly tool_name?: string;
  /** The step that asks. */
  readonly step_number: number;
  readonly question_id?: string;
  readonly call_id?: string;
  readonly arg_name?: string;
  readonly input_type?: string;
  readonly choices?: readonly string[];
  readonly args_digest: string;
  readonly expires_at_ms: number;
}

/** A checkpoint's answer; `null` when it expired or the person declined. */
export interface AnswerData {
  readonly checkpoint_id: string;
  readonly value: JsonValue;
  readonly cause: 'posted' | 'expired';
}

/** What memory held for the turn. */
export interface MemoryData {
  readonly items: readonly RecalledItem[];
}

/** Somebody wants the run to end. */
export interface CancelData {
  readonly code: string;
  readonly reason: string;
}

/** What a session's journal can say, by the record's kind. */
export interface SessionRecordData {
  event: EventData;
  step: StepData;
  call: CallData;
  wait: WaitData;
  nested: NestedData;
  outcome: OutcomeData;
  checkpoint: CheckpointData;
  answer: AnswerData;
  memory: MemoryData;
  cancel: CancelData;
}

/** The kinds of journal records a session has. */
export type SessionRecordKind = keyof SessionRecordData;

/** One record of a session's journal, its data typed by its kind. */
export type SessionRecord = {
  [Kind in SessionRecordKind]: {
    readonly kind: Kind;
    readonly data: SessionRecordData[Kind];
    readonly seq: number;
    readonly atMs: number;
  };
}[SessionRecordKind];

const keys: { [Kind in SessionRecordKind]: (data: SessionRecordData[Kind]) => string | undefined } = {
  event: () => undefined,
  step: ({ number }) => `step:${number}`,
  call: ({ call_id }) => `call:${call_id}`,
  wait: () => undefined,
  nested: ({ session_id }) => `nested:${session_id}`,
  outcome: ({ call_id }) => `outcome:${call_id}`,
  checkpoint: ({ checkpoint_id }) => `checkpoint:${checkpoint_id}`,
  answer: ({ checkpoint_id }) => `answer:${checkpoint_id}`,
  memory: () => 'memory',
  cancel: () => 'cancel',
};

/** A journal entry for something that happens at most once, by its key. */
export function entryOf<Kind extends SessionRecordKind>(
  kind: Kind,
  data: SessionRecordData[Kind],
): JournalEntry {
  const key = keys[kind](data);
  // The data interfaces are JSON by construction; interfaces have no index signature to show it.
  return { kind, data: data as unknown as JsonValue, ...(key === undefined ? {} : { key }) };
}

/** A journal entry that moves the time until which a call is waited for; it takes the place of the one before. */
export function waitEntry(data: WaitData): JournalEntry {
  return { ...entryOf('wait', data), slot: `wait:${data.call_id}` };
}

/** A journal entry for an event of the stream. A `slot` holds one event only: the newest takes the place of the one before. */
export function eventEntry(
  name: string,
  payload: JsonObject,
  once: { key?: string; slot?: string } = {},
): JournalEntry {
  return { kind: 'event', data: { name, payload }, ...once };
}

/** Reads a record back. A kind of a newer version is left out. */
export function decodeRecord({ kind, data, seq, atMs }: JournalRecord): SessionRecord | undefined {
  if (!(kind in keys)) return undefined;
  // Only this process's own entries are in a journal, written by `entryOf` and `eventEntry`.
  return { kind, data, seq, atMs } as unknown as SessionRecord;
}
