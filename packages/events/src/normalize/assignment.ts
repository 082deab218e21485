import type { AppEvent } from '@svc/contracts';
import { composeAgentAssignment } from '../payloads/assignment.js';
import { readCleanText, readKey } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { assignmentNameOf } from './context.js';
import type { NormalizeContext } from './context.js';

type AssignmentStatus = 'received' | 'in_progress' | 'completed' | 'failed';

const statuses: ReadonlyMap<string, AssignmentStatus> = new Map([
  ['received', 'received'],
  ['assigned', 'received'],
  ['queued', 'received'],
  ['completed', 'completed'],
  ['done', 'completed'],
  ['finished', 'completed'],
  ['success', 'completed'],
  ['failed', 'failed'],
  ['error', 'failed'],
]);

/** Normalizes the lifecycle of a swarm member's action, if an `update` contains one. */
export function normalizeSwarmAction(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  if (readCleanText(payload.action_type) !== 'swarm_agent') return [];
  const actionId = readCleanText(payload.action_id);
  const status = statuses.get(readKey(payload.status) ?? '') ?? 'in_progress';
  const assignment = composeAgentAssignment({
    agentName: readCleanText(payload.action_name) ?? nameOfAction(actionId, context),
    status,
    assignmentId: actionId,
    swarmName: readCleanText(payload.swarm_name) ?? context.swarmName,
    task: readCleanText(payload.task),
    result: status === 'completed' ? payload.result : undefined,
    error: status === 'failed' ? readCleanText(payload.error) : undefined,
    ...context.participant,
  });
  return [assignment];
}

function nameOfAction(actionId: string | undefined, context: NormalizeContext): string {
  if (actionId === undefined) return 'unknown-agent';
  return assignmentNameOf(context, actionId) ?? actionId;
}
