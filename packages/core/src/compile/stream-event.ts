/** One event of a run: a name, and a payload in JSON. */
export interface StreamEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Who an event speaks of. */
export interface EventOrigin {
  readonly agentName: string | null;
  readonly swarmName: string | null;
}

/** The scope descriptor of an event; a swarm's member shows as the swarm. */
export function describeScope({ agentName, swarmName }: EventOrigin): Record<string, unknown> {
  if (swarmName !== null) return { scope: { type: 'swarm', name: swarmName } };
  return agentName === null ? {} : { scope: { type: 'agent', name: agentName } };
}
