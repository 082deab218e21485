import type { JsonObject, JsonValue } from '@svc/contracts';
import type { JournalEntry } from '@svc/contracts/orchestrator';
import type { InterruptEdge, PlanTool } from '../../planning/plan-context.js';
import { argsDigest } from './args-digest.js';
import type { RuleInput } from '../record/decision.js';
import {
  interruptEntry,
  phaseEntry,
  statusEntry,
  swarmActionEntry,
  toolEventEntry,
} from '../journal/emit.js';
import { openCheckpoint } from './open-checkpoint.js';
import { checkpointOfArgument } from '../record/recorded-steps.js';
import { entryOf } from '../record/session-record.js';
import type { CallState, StepState } from '../record/session-state.js';

/** The entries that send out ready calls, or first ask for the answers they need. */
export function startCalls(step: StepState, ready: readonly CallState[], input: RuleInput): JournalEntry[] {
  const entries = ready.flatMap((call) => startCall(call, step, input));
  const sent = ready.filter((call) => entries.some((entry) => entry.key === `call:${call.call_id}`));
  if (sent.length === 0) return entries;
  return [...announce(step, sent, input), ...entries];
}

function announce(step: StepState, sent: readonly CallState[], { state, facts }: RuleInput): JournalEntry[] {
  const names = sent.map((call) => toolOf(call, facts.plan.tools)?.name ?? call.tool_id);
  const message = `Running ${names.join(', ')}`;
  const areAgents = sent.every((call) => toolOf(call, facts.plan.tools)?.kind === 'agent');
  const phase = areAgents ? 'executing_assignments' : 'executing_actions';
  const key = `phase:${phase}:${step.number}`;
  const statusKey = `status:${sent[0]?.call_id ?? step.number}`;
  return [
    ...(state.sent.has(key) ? [] : [phaseEntry(facts, { phase, message, key })]),
    ...(facts.sendsStatus ? [statusEntry(`${message}...`, statusKey)] : []),
  ];
}

function startCall(call: CallState, step: StepState, input: RuleInput): JournalEntry[] {
  const { facts, nowMs } = input;
  const tool = toolOf(call, facts.plan.tools);
  const edges = (tool?.dependencies ?? [])
    .filter((edge) => edge.type === 'interrupt')
    // Passwords are left to the client, since answers collected here are stored in the journal and sent in a call.
    .filter((edge) => edge.collected_by === 'orchestrator' && edge.input_type !== 'password');
  const collected = collectAnswers(edges, { call, tool, step, input });
  if ('entries' in collected) return collected.entries;
  const args: JsonObject = { ...call.args, ...collected.answers };
  return [
    entryOf('call', {
      call_id: call.call_id,
      expires_at_ms: nowMs + facts.toolTimeoutMs,
      ...(tool?.kind === 'agent' ? { is_agent: true } : {}),
    }),
    ...(tool?.kind === 'agent' ? [swarmActionEntry(facts, { call, tool, status: 'started' })] : []),
    toolEventEntry({ call, tool, args, answered: Object.keys(collected.answers) }),
  ];
}

interface Collecting {
  readonly call: CallState;
  readonly tool: PlanTool | undefined;
  readonly step: StepState;
  readonly input: RuleInput;
}

/** The answers a call needs, or the entries to write while one is missing. */
function collectAnswers(
  edges: readonly InterruptEdge[],
  { call, tool, step, input }: Collecting,
): { answers: { [argName: string]: JsonValue } } | { entries: JournalEntry[] } {
  const known = edges.map((edge) => ({
    edge,
    checkpoint: checkpointOfArgument(input.state, call, edge.arg_name),
  }));
  const missing = known.filter(({ checkpoint }) => !checkpoint);
  if (missing.length > 0) {
    const entries = missing.flatMap(({ edge }) => {
      const checkpoint = openCheckpoint(
        {
          data_key: edge.data_key,
          prompt: edge.prompt || `${tool?.name ?? call.tool_id} needs ${edge.arg_name}.`,
          ...(tool ? { tool_name: tool.name } : {}),
          step_number: step.number,
          call_id: call.call_id,
          arg_name: edge.arg_name,
          ...(edge.input_type ? { input_type: edge.input_type } : {}),
          ...(edge.choices ? { choices: edge.choices } : {}),
          args_digest: argsDigest(call.tool_id, call.args),
        },
        input,
      );
      return [entryOf('checkpoint', checkpoint), interruptEntry(checkpoint, input.nowMs)];
    });
    return { entries };
  }
  if (known.some(({ checkpoint }) => !checkpoint?.answer)) return { entries: [] };
  const answers = known.map(
    ({ edge, checkpoint }) => [edge.arg_name, checkpoint?.answer?.value ?? null] as const,
  );
  const declined = answers.find(([, value]) => value === null);
  if (!declined) return { answers: Object.fromEntries(answers) };
  const message = `Not run: the user did not provide "${declined[0]}".`;
  const outcome = { status: 'error', error: { code: 'INTERRUPT_DECLINED', message } } as const;
  return { entries: [entryOf('outcome', { call_id: call.call_id, outcome, cause: 'skipped' })] };
}

function toolOf(call: CallState, tools: readonly PlanTool[]): PlanTool | undefined {
  return tools.find(({ tool_id }) => tool_id === call.tool_id);
}
