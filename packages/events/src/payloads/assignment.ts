import { APP_EVENT_CONTRACT_VERSION, AGENT_ASSIGNMENT_EVENT_NAME } from '@svc/contracts';
import { composeParticipant, withContext } from './compose.js';
import type { ParticipantArguments } from './compose.js';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readOwnOr, readRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { snapshotOf } from './snapshot.js';

/** The fields of an `agent_assignment` event. */
export interface AgentAssignmentArguments extends ParticipantArguments {
  /** The assigned swarm member. */
  agentName: string;
  /** `received`, `in_progress`, `completed` or `failed`; other strings are kept. */
  status: string;
  /** The id of this assignment, the same from start to end. @default null */
  assignmentId?: string | null | undefined;
  /** The swarm the member belongs to; it names the scope. */
  swarmName?: string | null | undefined;
  /** What the member was asked to do. @default null */
  task?: string | null | undefined;
  /** Why the assignment failed. @default null */
  error?: string | null | undefined;
  /** What the member returned. @default null */
  result?: unknown;
}

/**
 * Builds the payload of an `agent_assignment`: flat fields and the `assignment` descriptor, which carries the id as
 * `id` and `assignment_id`.
 */
export function buildAgentAssignmentPayload(event: AgentAssignmentArguments) {
  return composeAgentAssignment({ ...event, result: snapshotOf(event.result) });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeAgentAssignment(event: AgentAssignmentArguments) {
  const { agentName, status } = event;
  const id = event.assignmentId ?? null;
  const task = event.task ?? null;
  const swarmName = readCleanText(event.swarmName) ?? null;
  const result = event.result ?? null;
  const error = event.error ?? null;
  const participant = composeParticipant(event);
  return withContext(
    {
      assignment_id: id,
      agent_name: agentName,
      status,
      task,
      swarm_name: swarmName,
      result,
      error,
      participant_key: participant?.key ?? null,
      participant_name: participant?.name ?? null,
      participant_role: participant?.role ?? null,
      assignment: {
        id,
        assignment_id: id,
        agent_name: agentName,
        status,
        task,
        swarm_name: swarmName,
        result,
        error,
      },
      lifecycle: { phase: status },
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: AGENT_ASSIGNMENT_EVENT_NAME,
      event_kind: 'assignment' as const,
    },
    {
      scope: swarmName === null ? undefined : { type: 'swarm', name: swarmName },
      participant,
    },
  );
}

/** Rebuilds an external `agent_assignment`. A missing id stays null; the identity stage assigns one. */
export function rebuildAgentAssignment(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.assignment);
  const text = (key: string) => readCleanText(input[key]) ?? readCleanText(nested?.[key]);
  const built = composeAgentAssignment({
    agentName: text('agent_name') ?? 'unknown-agent',
    status: text('status') ?? 'in_progress',
    assignmentId: readAssignmentId(input, nested),
    swarmName: text('swarm_name'),
    task: text('task'),
    error: text('error'),
    result: readOwnOr(input, 'result', nested),
    participantKey: readCleanText(input.participant_key),
    participantName: readCleanText(input.participant_name),
    participantRole: readCleanText(input.participant_role),
  });
  return keepExtras(built, input);
}

/** The id of an assignment: flat `assignment_id`, then `assignment.id`, then `assignment.assignment_id`. */
export function readAssignmentId(input: JsonRecord, nested: JsonRecord | undefined): string | undefined {
  return (
    readCleanText(input.assignment_id) ?? readCleanText(nested?.id) ?? readCleanText(nested?.assignment_id)
  );
}
