import { readCleanText, readKey } from './read-field.js';

/** Who speaks or acts, as a frontend shows it. Blank texts count as absent. */
export interface ParticipantArguments {
  /** Stable key of the participant. */
  participantKey?: string | null;
  /** Display name of the participant. */
  participantName?: string | null;
  /** Role of the participant, for example `assistant`. */
  participantRole?: string | null;
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
export function composeParticipant(from: ParticipantArguments): BuiltParticipant | undefined {
  const key = readCleanText(from.participantKey);
  const name = readCleanText(from.participantName);
  const role = readCleanText(from.participantRole);
  if (key === undefined && name === undefined && role === undefined) return undefined;
  const participant: BuiltParticipant = {};
  if (key !== undefined) participant.key = key;
  if (name !== undefined) participant.name = name;
  if (role !== undefined) participant.role = role;
  return participant;
}

const scopeTypes: ReadonlyMap<string, BuiltScope['type']> = new Map([
  ['agent', 'agent'],
  ['swarm', 'swarm'],
  ['session', 'session'],
]);

/** The scope descriptor of an event: the named scope, else the swarm, else the agent, else absent. */
export function composeScope(from: {
  scopeType?: string | null | undefined;
  scopeId?: string | null | undefined;
  scopeName?: string | null | undefined;
  agentName?: string | null | undefined;
  swarmName?: string | null | undefined;
}): BuiltScope | undefined {
  let type = scopeTypes.get(readKey(from.scopeType) ?? '');
  const id = readCleanText(from.scopeId);
  let name = readCleanText(from.scopeName);
  if (type === undefined) {
    const swarmName = readCleanText(from.swarmName);
    const agentName = readCleanText(from.agentName);
    if (swarmName !== undefined) type = 'swarm';
    else if (agentName !== undefined) type = 'agent';
    name ??= swarmName ?? agentName;
  }
  if (type === undefined && id === undefined && name === undefined) return undefined;
  const scope: BuiltScope = {};
  if (type !== undefined) scope.type = type;
  if (id !== undefined) scope.id = id;
  if (name !== undefined) scope.name = name;
  return scope;
}
