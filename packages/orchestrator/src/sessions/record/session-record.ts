import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalEntry } from '@svc/contracts/orchestrator';
import type { CallOutcome, RecalledItem } from '../../planning/plan-context.js';
import type { PlanStep, PlanUsage } from '../../planning/plan-step.js';

/** An event of the session's stream. */
export interface EventData {
  readonly name: string;
  readonly payload: JsonObject;
}

/** A step as the planner decided it. With `problems` it was refused; otherwise its calls have ids, in order. */
export interface StepData {
  readonly number: number;
  readonly step: PlanStep;
  readonly call_ids: readonly string[];
  readonly problems?: readonly string[];
}

/** A call was sent out (or a system tool started), with the time until which its result is awaited. */
export interface CallData {
  readonly call_id: string;
  readonly expires_at_ms?: number;
  /** The call invokes another agent. */
  readonly is_agent?: true;
}

/** The new time until which a call's result is awaited. Only the newest counts. */
export interface WaitData {
  readonly call_id: string;
  readonly expires_at_ms: number;
}

/** A session was started to answer a call. */
export interface NestedData {
  readonly call_id: string;
  readonly session_id: string;
}

/** How a call ended, and who reported it. */
export interface OutcomeData {
  readonly call_id: string;
  readonly outcome: CallOutcome;
  readonly cause: 'posted' | 'expired' | 'skipped' | 'system';
  /** Tokens that the call used, when the orchestrator ran it. */
  readonly usage?: PlanUsage;
}

/** A person is asked: for the answer to a question of an ask step, or for an argument of a call. */
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

/** What memory returned for the turn. */
export interface MemoryData {
  readonly items: readonly RecalledItem[];
}

/** Somebody asked to end the run. */
export interface CancelData {
  readonly code: string;
  readonly reason: string;
}

/** The data of a session's journal records, by kind. */
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

/** Creates a journal entry for something that happens at most once per key. */
export function entryOf<Kind extends SessionRecordKind>(
  kind: Kind,
  data: SessionRecordData[Kind],
): JournalEntry {
  const key = keys[kind](data);
  // The data interfaces are JSON by construction, but interfaces have no index signature that says so.
  return { kind, data: data as unknown as JsonValue, ...(key === undefined ? {} : { key }) };
}

/** Creates a journal entry that sets how long a call is awaited; it replaces the previous one. */
export function waitEntry(data: WaitData): JournalEntry {
  return { ...entryOf('wait', data), slot: `wait:${data.call_id}` };
}

/**
 * Creates a journal entry for a stream event. A `slot` contains one event only: the newest replaces the previous one.
 */
export function eventEntry(
  name: string,
  payload: JsonObject,
  once: { key?: string; slot?: string } = {},
): JournalEntry {
  return { kind: 'event', data: { name, payload }, ...once };
}
