import { APP_EVENT_CONTRACT_VERSION } from '@svc/contracts';

/** An event of a run: a name and a JSON payload. */
export interface StreamEvent {
  /** The name of the event, such as `tool_event`. */
  readonly name: string;
  /** The payload, as JSON data. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Builds a complete event of contract v1, which normalizers pass on unchanged. */
export function buildContractEvent(name: string, kind: string, fields: StreamEvent['payload']): StreamEvent {
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

/** The agent and swarm that an event belongs to. */
export interface EventOrigin {
  readonly agentName: string | null;
  readonly swarmName: string | null;
}

/** Returns the scope descriptor of an event; for a member of a swarm, it is the swarm. */
export function describeScope({ agentName, swarmName }: EventOrigin): Record<string, unknown> {
  if (swarmName !== null) return { scope: { type: 'swarm', name: swarmName } };
  return agentName === null ? {} : { scope: { type: 'agent', name: agentName } };
}
