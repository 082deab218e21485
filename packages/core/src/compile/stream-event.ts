import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';

/** One event of a run: a name, and a payload in JSON. */
export interface StreamEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A finished event of contract v1, which normalizers pass on as it is. */
export function buildFinishedEvent(name: string, kind: string, fields: StreamEvent['payload']): StreamEvent {
  return {
    name,
    payload: {
      ...fields,
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: name,
      event_kind: kind,
    },
  };
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
