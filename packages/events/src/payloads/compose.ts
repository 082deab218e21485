import { readCleanText } from './read-field.js';

/** Who speaks or acts, as a frontend shows it. Blank strings count as absent. */
export interface ParticipantArguments {
  /** The stable key of the participant. */
  participantKey?: string | null | undefined;
  /** The display name of the participant. */
  participantName?: string | null | undefined;
  /** The role of the participant, for example `assistant`. */
  participantRole?: string | null | undefined;
}

/** The `scope` descriptor of a built payload: where an event happened. */
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

/** The descriptors that a built payload has only if they are known. */
export type BuiltContext = {
  scope?: BuiltScope;
  participant?: BuiltParticipant;
};

/** Adds `scope` and `participant` to a new payload if they are known. */
export function withContext<Payload extends object>(
  payload: Payload & BuiltContext,
  context: { scope?: BuiltScope | undefined; participant?: BuiltParticipant | undefined },
): Payload & BuiltContext {
  if (context.scope !== undefined) payload.scope = context.scope;
  if (context.participant !== undefined) payload.participant = context.participant;
  return payload;
}

/** Builds the participant descriptor of an event; undefined if nothing is known. */
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

/** Builds the scope of a tool: its swarm, else its agent, else undefined. */
export function composeToolScope(tool: {
  agentName: string | null;
  swarmName: string | null;
}): BuiltScope | undefined {
  if (tool.swarmName !== null) return { type: 'swarm', name: tool.swarmName };
  return tool.agentName === null ? undefined : { type: 'agent', name: tool.agentName };
}
