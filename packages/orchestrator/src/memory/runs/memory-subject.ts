import type { Attachment, BoundResource, DefinedSkill, SessionRequest } from '@svc/contracts/orchestrator';
import type { PlanMessage } from '../../planning/plan-context.js';
import { attachmentsOf } from '../../planning/policy/plan-messages.js';
import { memorySettings, type MemorySettings } from './memory-settings.js';
import type { MemoryViewer } from '../records/memory-viewer.js';

/** A run as memory sees it. */
export interface MemorySubject {
  readonly sessionId: string;
  readonly viewer: MemoryViewer;
  readonly settings: MemorySettings;
  /** What this turn asks. */
  readonly query: string;
  /** What the planner sees anyway, so it is not recalled. */
  readonly conversation: readonly string[];
  readonly toolNames: readonly string[];
  readonly skills: readonly DefinedSkill[];
  readonly resources: readonly BoundResource[];
  readonly attachments: readonly Attachment[];
}

/** Where a run's memory belongs, apart from what the request says about its agent. */
export interface MemoryHome {
  /** In the form of `organizationKey`. */
  readonly organization: string;
  /** The swarm a nested session belongs to. */
  readonly swarmId?: string;
}

/** How a request uses memory, if it does. Pure, so a restart compiles the same. */
export function memorySubject(
  request: SessionRequest,
  run: { sessionId: string; projectId: string; threadId?: string | undefined },
  { home, messages, turnStart }: { home: MemoryHome; messages: readonly PlanMessage[]; turnStart: number },
): MemorySubject | undefined {
  const settings = memorySettings(request);
  if (!settings) return undefined;
  const turn = messages.slice(turnStart).filter(({ role }) => role === 'user');
  const { swarm_config: swarm, execution_config: execution, memory_assets_config: assets } = request;
  // A swarm's root names its first member as agent, but acts for the swarm, not for that member.
  const agentId = swarm?.invocation_intent ? undefined : (swarm?.invoked_agent_id ?? execution?.agent_id);
  const swarmId = swarm?.swarm_id ?? home.swarmId;
  return {
    sessionId: run.sessionId,
    viewer: {
      projectId: run.projectId,
      organization: home.organization,
      ...(agentId ? { agentId } : {}),
      ...(swarmId ? { swarmId } : {}),
      ...(run.threadId === undefined ? {} : { threadId: run.threadId }),
    },
    settings,
    query: turn.map(({ content }) => content).join('\n'),
    conversation: messages.map(({ content }) => content),
    toolNames: request.tools.map(({ name }) => name),
    skills: assets?.defined_skills ?? [],
    resources: assets?.bound_resources ?? [],
    attachments: request.messages
      .filter(({ type }) => type === 'human' || type === 'redacted')
      .flatMap(attachmentsOf),
  };
}
