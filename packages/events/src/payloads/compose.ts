import { readCleanText } from './read-field.js';

/** Who speaks or acts, as a frontend shows it. Blank texts count as absent. */
export interface ParticipantArguments {
  /** Stable key of the participant. */
  participantKey?: string | null | undefined;
  /** Display name of the participant. */
  participantName?: string | null | undefined;
  /** Role of the participant, for example `assistant`. */
  participantRole?: string | null | undefined;
}

/** The `scope` descriptor of a built payload: what an event happened in. */
export type BuiltScope = {
  type?: 'agent' | 'swarm' | 'session';
  id?: string;
  name?: string;
};

/** The `participant` descriptor of a built payload. */
export type BuiltParticipant = {
  key?: string;
  name?: string;
  role?: string;
};

/** The descriptors that a built payload carries only when they say something. */
export type BuiltContext = {
  scope?: BuiltScope;
  participant?: BuiltParticipant;
};

/** Adds `scope` and `participant` to a freshly made payload when they say something. */
export function withContext<Payload extends object>(
  payload: Payload & BuiltContext,
  context: { scope?: BuiltScope | undefined; participant?: BuiltParticipant | undefined },
): Payload & BuiltContext {
  if (context.scope !== undefined) payload.scope = context.scope;
  if (context.participant !== undefined) payload.participant = context.participant;
  return payload;
}

/** The participant descriptor of an event, absent when nothing is known. */
export function composeParticipant(event: ParticipantArguments): BuiltParticipant | undefined {
  const key = readCleanText(event.participantKey);
  const name = readCleanText(event.participantName);
  const role = readCleanText(event.participantRole);
  if (key === undefined && name === undefined && role === undefined) return undefined;
  const participant: BuiltParticipant = {};
  if (key !== undefined) participant.key = key;
  if (name !== undefined) participant.name = name;
  if (role !== undefined) participant.role = role;
  return participant;
}

/** The scope of a tool: its swarm, else its agent, else absent. */
export function composeToolScope(tool: {
  agentName: string | null;
  swarmName: string | null;
}): BuiltScope | undefined {
  if (tool.swarmName !== null) return { type: 'swarm', name: tool.swarmName };
  return tool.agentName === null ? undefined : { type: 'agent', name: tool.agentName };
}
