import type { StreamEvent } from '../compile/stream-event.js';

/** The agent that an event of a member's session belongs to. */
export interface MemberNames {
  readonly agentName: string;
  readonly swarmName: string | undefined;
  /** The id of the call that the member works on; the member's text is shown under it. */
  readonly callId: string;
}

type Forward = (event: StreamEvent, names: MemberNames) => StreamEvent | undefined;

const drop: Forward = () => undefined;
const underCallId: Forward = ({ name, payload }, { callId, ...names }) => ({
  name,
  payload: { ...payload, ...memberFields(names), assistant_id: callId },
});

/** How a member's events are forwarded to the stream of the run; all other events are passed on with the member's names. */
const FORWARDS: ReadonlyMap<string, Forward> = new Map([
  ['session_start', drop],
  ['heartbeat', drop],
  ['error', drop],
  ['final', drop],
  ['session_end', drop],
  ['update', underCallId],
  ['progress_update', underCallId],
]);

/** Returns a member's event as the run's reader sees it: under the member's names, with text under its assignment. */
export function forwardMemberEvent(event: StreamEvent, names: MemberNames): StreamEvent | undefined {
  const forward = FORWARDS.get(event.name);
  if (forward) return forward(event, names);
  return { name: event.name, payload: { ...memberFields(names), ...event.payload } };
}

function memberFields({
  agentName,
  swarmName,
}: Pick<MemberNames, 'agentName' | 'swarmName'>): Record<string, unknown> {
  return { agent_name: agentName, ...(swarmName === undefined ? {} : { swarm_name: swarmName }) };
}
