import type { JournalEntry } from '@svc/contracts/orchestrator';
import { nextCalls } from '../../planning/policy/next-calls.js';
import { argsDigest } from '../calls/args-digest.js';
import type { DecideInput, Decision, RuleInput } from '../record/decision.js';
import { expiredEntry } from '../calls/nested-runs.js';
import {
  interruptEntry,
  phaseEntry,
  sessionStartEntry,
  swarmActionEntry,
  swarmActionKey,
} from '../journal/emit.js';
import { openCheckpoint } from '../calls/open-checkpoint.js';
import { planPhaseEntries } from '../calls/plan-phase.js';
import { callsBefore, callsOf, checkpointOfQuestion, recordedCall } from '../record/recorded-steps.js';
import { runDeadlineMs } from '../record/run-clock.js';
import { entryOf, waitEntry } from '../record/session-record.js';
import { systemStartEntries } from '../calls/system-calls.js';
import { startCalls } from '../calls/start-calls.js';
import type { CallState, StepState } from '../record/session-state.js';

/** Decides what a run does next, from its journal alone. Pure: the same journal and time give the same decision. */
export function decide(input: DecideInput): Decision {
  const dataKeys = new Set([...input.state.checkpoints.values()].map(({ data_key }) => data_key));
  const ruleInput = { ...input, dataKeys };
  for (const rule of rules) {
    const decision = rule(ruleInput);
    if (decision) return decision;
  }
  return { wakeAtMs: nextDeadline(ruleInput) };
}

type Rule = (input: RuleInput) => Decision | undefined;

const rules: readonly Rule[] = [
  ({ state }) => (state.final ? {} : undefined),
  ({ state: { cancelled } }) => {
    if (!cancelled) return undefined;
    const status = cancelled.code === 'RUN_CANCELLED' ? 'cancelled' : 'failed';
    return { end: { status, code: cancelled.code, message: cancelled.reason } };
  },
  enforceLimits,
  open,
  restartTimeouts,
  expire,
  announceMembers,
  runStep,
  recall,
  plan,
];

function enforceLimits({ state, facts, nowMs, limits }: RuleInput): Decision | undefined {
  const deadlineMs = runDeadlineMs(state, facts);
  if (deadlineMs !== undefined && deadlineMs <= nowMs) {
    const message = `The run exceeded its time limit of ${facts.runTimeoutMs / 1000} s.`;
    return { end: { status: 'failed', code: 'RUN_TIMEOUT', message } };
  }
  if (state.eventCount >= limits.maxEvents) {
    const message = `The run has ${state.eventCount} events; the limit is ${limits.maxEvents}.`;
    return { end: { status: 'failed', code: 'RUN_TOO_LONG', message } };
  }
  const recent = state.steps.slice(-limits.maxRejectedSteps);
  if (recent.length === limits.maxRejectedSteps && recent.every((step) => step.problems)) {
    const message = `The planner repeatedly broke the rules: ${recent.at(-1)?.problems?.join(' ')}`;
    return { end: { status: 'failed', code: 'PLANNER_INVALID_STEP', message } };
  }
  return undefined;
}

function open({ state, facts }: RuleInput): Decision | undefined {
  if (state.openedAtMs !== undefined) return undefined;
  const phase = { phase: 'evaluating', message: 'Reading the request', key: 'phase:evaluating' };
  const redacted = {
    phase: 'message_redaction_applied',
    message: 'Personal data was replaced by names',
    key: 'phase:message_redaction_applied',
  };
  const entries = [
    sessionStartEntry(facts),
    ...(facts.redaction ? [phaseEntry(facts, { ...redacted, extra: { redaction: facts.redaction } })] : []),
    phaseEntry(facts, phase),
  ];
  return { entries, status: 'running' };
}

/**
 * While no process worked on the run, no result could be posted, so a takeover restarts the timeout of each open call.
 */
function restartTimeouts({ state, facts, takenOverAtMs }: RuleInput): Decision | undefined {
  if (takenOverAtMs === undefined) return undefined;
  const expires_at_ms = takenOverAtMs + facts.toolTimeoutMs;
  const entries = [...state.calls.values()].flatMap(({ call_id, outcome, expiresAtMs = Infinity }) =>
    outcome || expiresAtMs >= expires_at_ms ? [] : [waitEntry({ call_id, expires_at_ms })],
  );
  return entries.length > 0 ? { entries } : undefined;
}

function expire({ state, facts, nowMs }: RuleInput): Decision | undefined {
  const isOver = (expiresAtMs: number | undefined) => expiresAtMs !== undefined && expiresAtMs <= nowMs;
  const lateCalls = [...state.calls.values()].filter((call) => !call.outcome && isOver(call.expiresAtMs));
  const late = lateCalls.filter(({ nested }) => nested);
  if (late.length > 0) return { late };
  const lateCheckpoints = [...state.checkpoints.values()].filter(
    (each) => !each.answer && isOver(each.expires_at_ms),
  );
  const entries = [
    ...lateCalls.map((call) => expiredEntry(call, facts)),
    ...lateCheckpoints.map(({ checkpoint_id }) =>
      entryOf('answer', { checkpoint_id, value: null, cause: 'expired' }),
    ),
  ];
  return entries.length > 0 ? { entries } : undefined;
}

function announceMembers({ state, facts }: RuleInput): Decision | undefined {
  const members = new Map(
    facts.plan.tools.flatMap((tool) => (tool.kind === 'agent' ? [[tool.tool_id, tool] as const] : [])),
  );
  if (members.size === 0) return undefined;
  const entries = [...state.calls.values()].flatMap((call) => {
    const tool = members.get(call.tool_id);
    if (tool === undefined || call.sentAtMs === undefined || !call.outcome) return [];
    const status = call.outcome.status === 'ok' ? 'completed' : 'failed';
    return state.sent.has(swarmActionKey(call, status))
      ? []
      : [swarmActionEntry(facts, { call, tool, status })];
  });
  return entries.length > 0 ? { entries } : undefined;
}

function runStep(input: RuleInput): Decision | undefined {
  const current = input.state.steps.at(-1);
  if (!current || current.problems) return undefined;
  if (current.step.type === 'finish') return { end: { status: 'completed' } };
  return current.step.type === 'ask' ? askQuestions(current, input) : runCalls(current, input);
}

function runCalls(step: StepState, input: RuleInput): Decision | undefined {
  const { state, facts } = input;
  const calls = callsOf(state, step);
  const isSystem = ({ tool_id }: CallState) => facts.plan.system_tools.some(({ name }) => name === tool_id);
  const running = calls.filter((call) => !call.outcome && call.sentAtMs !== undefined);
  const next = nextCalls({
    calls: calls.map(recordedCall),
    inFlight: new Set(running.map(({ call_id }) => call_id)),
    tools: facts.plan.tools,
    earlier: callsBefore(state, step),
    constraints: facts.plan.constraints,
  });
  if (next.done) return undefined;
  const ready = calls.filter(({ call_id }) => next.start.includes(call_id));
  const entries: JournalEntry[] = [
    ...next.skip.map(({ call_id, failure }) =>
      entryOf('outcome', { call_id, outcome: { status: 'error', error: failure }, cause: 'skipped' }),
    ),
    ...startCalls(
      step,
      ready.filter((call) => !isSystem(call)),
      input,
    ),
    ...ready.filter(isSystem).flatMap((call) => systemStartEntries(call, facts)),
  ];
  if (entries.length > 0) return { entries, status: 'waiting_for_tools' };
  return { system: running.filter(isSystem), wakeAtMs: nextDeadline(input) };
}

function askQuestions(step: StepState, input: RuleInput): Decision | undefined {
  if (step.step.type !== 'ask') return undefined;
  const { state, facts, nowMs } = input;
  const known = step.step.questions.map((question) => ({
    question,
    checkpoint: checkpointOfQuestion(state, question.question_id, step.number),
  }));
  if (known.every(({ checkpoint }) => checkpoint?.answer)) return undefined;
  const entries = known.flatMap(({ question, checkpoint: existing }) => {
    if (existing) return [];
    const { question_id, input_type, choices, arg_name, tool_id, prompt } = question;
    const tool = facts.plan.tools.find((each) => each.tool_id === tool_id);
    const checkpoint = openCheckpoint(
      {
        data_key: question_id,
        prompt,
        ...(tool ? { tool_name: tool.name } : {}),
        step_number: step.number,
        question_id,
        input_type,
        ...(choices ? { choices } : {}),
        ...(arg_name === undefined ? {} : { arg_name }),
        args_digest: argsDigest(tool_id ?? '', { question_id }),
      },
      input,
    );
    return [entryOf('checkpoint', checkpoint), interruptEntry(checkpoint, nowMs)];
  });
  return entries.length > 0 ? { entries, status: 'waiting_for_tools' } : { wakeAtMs: nextDeadline(input) };
}

/** Asks memory once, before the first plan. */
function recall(input: RuleInput): Decision | undefined {
  const { state, facts } = input;
  if (!facts.memory || state.memory) return undefined;
  return { recall: true, wakeAtMs: nextDeadline(input) };
}

function plan(input: RuleInput): Decision {
  const entries = planPhaseEntries(input.state, input.facts);
  return entries.length > 0 ? { entries, status: 'running' } : { plan: true, wakeAtMs: nextDeadline(input) };
}

/** When the next thing expires, if anything does. */
function nextDeadline({ state, facts }: RuleInput): number | undefined {
  const times = [
    ...[...state.calls.values()].map((call) => (call.outcome ? undefined : call.expiresAtMs)),
    ...[...state.checkpoints.values()].map((each) => (each.answer ? undefined : each.expires_at_ms)),
    runDeadlineMs(state, facts),
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}
