import type { RunRecord, SessionRequest } from '@svc/contracts/orchestrator';
import { readMemoryHome } from '../../memory/runs/memory-home.js';
import { memorySubject } from '../../memory/runs/memory-subject.js';
import type { PlanMessage } from '../../planning/plan-context.js';
import { isJsonObject } from '../../json-object.js';
import { compilePlanRequest } from '../../planning/policy/compile-request.js';
import { planMessages } from '../../planning/policy/plan-messages.js';
import type { SystemToolbox } from '../../system-tools/system-toolbox.js';
import type { SessionFacts } from './session-facts.js';

/** The limits that the orchestrator sets, not the request. */
export interface RunLimits {
  readonly maxCycles: number;
  readonly runTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly checkpointTtlMs: number;
}

/**
 * Compiles a run's facts from its request and what its thread remembers. Pure, so a restart compiles the same facts.
 */
export function compileFacts({
  record,
  request,
  earlier,
  toolbox,
  limits,
}: {
  record: Pick<RunRecord, 'sessionId' | 'projectId' | 'threadId' | 'createdAtMs'>;
  request: SessionRequest;
  earlier: readonly PlanMessage[];
  toolbox: SystemToolbox;
  limits: RunLimits;
}): SessionFacts {
  const { sessionId, threadId, createdAtMs } = record;
  const plan = {
    run_id: sessionId,
    ...conversation(planMessages(request.messages), earlier),
    ...compilePlanRequest(request, { maxCycles: limits.maxCycles }),
  };
  const summary = request['redaction_summary'];
  const memory = memorySubject(request, record, {
    home: readMemoryHome(request, record.projectId),
    messages: plan.messages,
    turnStart: plan.turn_start,
  });
  return {
    sessionId,
    ...(threadId === undefined ? {} : { threadId }),
    createdAtMs,
    plan: { ...plan, system_tools: toolbox.offer(request.system_tools_config, plan) },
    scope: scopeOf(request),
    ...(isJsonObject(summary) ? { redaction: summary } : {}),
    ...(memory ? { memory } : {}),
    streamsText: request.stream_response,
    sendsStatus: request.status_messages,
    runTimeoutMs: timeoutMs(request, limits),
    toolTimeoutMs: limits.toolTimeoutMs,
    checkpointTtlMs: limits.checkpointTtlMs,
  };
}

/** System prompts first, then the thread, then this turn. A request with assistant messages manages its own history. */
function conversation(
  messages: readonly PlanMessage[],
  earlier: readonly PlanMessage[],
): { messages: PlanMessage[]; turn_start: number } {
  const system = messages.filter(({ role }) => role === 'system');
  const rest = messages.filter(({ role }) => role !== 'system');
  const history = rest.some(({ role }) => role === 'assistant') ? [] : earlier;
  const ownHistory = rest.findLastIndex(({ role }) => role === 'assistant') + 1;
  return {
    messages: [...system, ...history, ...rest],
    turn_start: system.length + history.length + ownHistory,
  };
}

/** The request's timeout, capped by the orchestrator's own; 0 means that the request sets none. */
function timeoutMs({ execution_config: config }: SessionRequest, { runTimeoutMs }: RunLimits): number {
  return config?.timeout ? Math.min(config.timeout * 1000, runTimeoutMs) : runTimeoutMs;
}

function scopeOf({ swarm_config: swarm, execution_config: config }: SessionRequest): SessionFacts['scope'] {
  if (swarm?.swarm_name) {
    return { type: 'swarm', name: swarm.swarm_name, ...(swarm.swarm_id ? { id: swarm.swarm_id } : {}) };
  }
  const id = swarm?.invoked_agent_id ?? config?.agent_id ?? undefined;
  const name = swarm?.invoked_agent_name ?? undefined;
  return { type: 'agent', ...(id ? { id } : {}), ...(name ? { name } : {}) };
}
