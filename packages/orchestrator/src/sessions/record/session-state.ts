import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalRecord } from '@svc/contracts/orchestrator';
import type { CallOutcome, RecalledItem } from '../../planning/plan-context.js';
import type { PlannedCall, PlanStep, PlanUsage } from '../../planning/plan-step.js';
import { decodeRecord } from './decode-record.js';
import type {
  CancelData,
  CheckpointData,
  OutcomeData,
  SessionRecord,
  SessionRecordData,
  SessionRecordKind,
} from './session-record.js';

/** One call of a step and what is known about it. */
export interface CallState extends PlannedCall {
  readonly call_id: string;
  readonly sentAtMs?: number;
  readonly expiresAtMs?: number;
  readonly isAgent?: true;
  /** The sessions that were started to answer the call. */
  readonly nested?: readonly string[];
  readonly outcome?: CallOutcome;
  readonly cause?: OutcomeData['cause'];
  readonly endedAtMs?: number;
  readonly usage?: PlanUsage;
}

/** One step of the run. With `problems` it was refused. */
export interface StepState {
  readonly number: number;
  readonly step: PlanStep;
  readonly callIds: readonly string[];
  readonly problems?: readonly string[];
}

/** A question to a person; `answer` is set once it is answered or has expired. */
export interface CheckpointState extends CheckpointData {
  readonly openedAtMs: number;
  readonly answeredAtMs?: number;
  readonly answer?: { readonly value: JsonValue; readonly cause: 'posted' | 'expired' };
}

/** The state of a run, read from its journal. Only `applyRecord` changes it. */
export interface SessionState {
  readonly sessionId: string;
  lastSeq: number;
  eventCount: number;
  /** When the run's first event was sent. */
  openedAtMs?: number;
  readonly steps: StepState[];
  readonly calls: Map<string, CallState>;
  readonly checkpoints: Map<string, CheckpointState>;
  /** Keys of the events that are sent only once. */
  readonly sent: Set<string>;
  /** What memory returned, once it was asked. */
  memory?: readonly RecalledItem[];
  cancelled?: CancelData;
  /** The payload of `final`, once the run has ended. */
  final?: JsonObject;
}

export function createSessionState(sessionId: string): SessionState {
  return {
    sessionId,
    lastSeq: 0,
    eventCount: 0,
    steps: [],
    calls: new Map(),
    checkpoints: new Map(),
    sent: new Set(),
  };
}

/**
 * Applies the journal's next record and returns it decoded.
 * @throws RunStoreError `RUN_UNREADABLE`
 */
export function applyRecord(state: SessionState, journalRecord: JournalRecord): SessionRecord | undefined {
  state.lastSeq = journalRecord.seq;
  // Records of a slot replace one another, so they are not counted.
  if (journalRecord.kind === 'event' && journalRecord.slot === undefined) state.eventCount += 1;
  const record = decodeRecord(state.sessionId, journalRecord);
  if (!record) return undefined;
  if (record.kind === 'event' && journalRecord.key !== undefined) state.sent.add(journalRecord.key);
  apply(record.kind, state, record);
  return record;
}

type Appliers = {
  [Kind in SessionRecordKind]: (state: SessionState, data: SessionRecordData[Kind], atMs: number) => void;
};

const appliers: Appliers = {
  event(state, { name, payload }, atMs) {
    state.openedAtMs ??= atMs;
    if (name === 'final') state.final = payload;
  },
  step(state, { number, step, call_ids, problems }) {
    state.steps.push({ number, step, callIds: call_ids, ...(problems ? { problems } : {}) });
    if (step.type !== 'call' || problems) return;
    step.calls.forEach((call, index) => {
      const call_id = call_ids[index];
      if (call_id !== undefined) state.calls.set(call_id, { ...call, call_id });
    });
  },
  call(state, { call_id, expires_at_ms, is_agent }, atMs) {
    const call = state.calls.get(call_id);
    if (!call) return;
    const expiry = expires_at_ms === undefined ? {} : { expiresAtMs: expires_at_ms };
    state.calls.set(call_id, { ...call, sentAtMs: atMs, ...expiry, ...(is_agent ? { isAgent: true } : {}) });
  },
  wait(state, { call_id, expires_at_ms }) {
    const call = state.calls.get(call_id);
    if (call) state.calls.set(call_id, { ...call, expiresAtMs: expires_at_ms });
  },
  nested(state, { call_id, session_id }) {
    const call = state.calls.get(call_id);
    if (call) state.calls.set(call_id, { ...call, nested: [...(call.nested ?? []), session_id] });
  },
  outcome(state, { call_id, outcome, cause, usage }, atMs) {
    const call = state.calls.get(call_id);
    if (!call) return;
    state.calls.set(call_id, { ...call, outcome, cause, endedAtMs: atMs, ...(usage ? { usage } : {}) });
  },
  checkpoint(state, data, atMs) {
    state.checkpoints.set(data.checkpoint_id, { ...data, openedAtMs: atMs });
  },
  answer(state, { checkpoint_id, value, cause }, atMs) {
    const checkpoint = state.checkpoints.get(checkpoint_id);
    if (!checkpoint) return;
    state.checkpoints.set(checkpoint_id, { ...checkpoint, answer: { value, cause }, answeredAtMs: atMs });
  },
  memory(state, { items }) {
    state.memory = items;
  },
  cancel(state, data) {
    state.cancelled = data;
  },
};

function apply<Kind extends SessionRecordKind>(kind: Kind, state: SessionState, record: SessionRecord): void {
  // The record's kind picks the applier, so the data is of that kind.
  (appliers[kind] as (state: SessionState, data: unknown, atMs: number) => void)(
    state,
    record.data,
    record.atMs,
  );
}
