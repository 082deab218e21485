import { readAssignmentId } from '../payloads/assignment.js';
import { readCleanText, readOwnOr, readRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';

/** Forwards a swarm member's assignment, unless the member or the status is missing. */
export const forwardAgentAssignment: ForwardFamily = (event) => {
  const nested = readRecord(event.assignment);
  const text = (key: string) => readCleanText(event[key]) ?? readCleanText(nested?.[key]);
  const agentName = text('agent_name');
  const status = text('status');
  if (agentName === undefined || status === undefined) return undefined;
  return {
    report: (reporter) =>
      reporter.reportAgentAssignment?.({
        agentName,
        status,
        assignmentId: readAssignmentId(event, nested) ?? `agent:${agentName}`,
        swarmName: text('swarm_name') ?? null,
        error: text('error') ?? null,
        result: readOwnOr(event, 'result', nested) ?? null,
      }),
    emission: () => ({ payload: payloadOf(event) }),
  };
};
