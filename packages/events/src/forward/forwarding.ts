import type { AppEvent } from '@svc/contracts';
import type { JsonRecord } from '../payloads/read-field.js';
import type { Reporter } from './reporter.js';
import type { NormalizedEventForwardingState } from './state.js';

/** An event for a bridge, whose `emit` rebuilds known families and keeps unknown fields. */
export interface Emission {
  /** @default the event's own */
  readonly eventName?: string;
  readonly payload: JsonRecord;
}

/** What to report and to emit for one event; either may be absent. */
export interface Forwarding {
  readonly report?: (reporter: Reporter) => unknown;
  readonly emission?: () => Emission | undefined;
}

/** Reads an event once, updates the state and returns what to forward; undefined if required fields are missing. */
export type ForwardFamily = (
  event: AppEvent,
  state: NormalizedEventForwardingState,
) => Forwarding | undefined;

const descriptorNames = [
  'scope',
  'participant',
  'lifecycle',
  'tool',
  'assistant',
  'assignment',
  'enrichment',
  'interrupt',
  'output',
  'error_info',
  'session',
  'chunk',
  'hook',
] as const satisfies readonly (keyof AppEvent)[];

/** Returns the event as a payload, without the null descriptors of a full dump. */
export function payloadOf(event: AppEvent): JsonRecord {
  if (!descriptorNames.some((name) => event[name] === null)) return event;
  const payload: JsonRecord = { ...event };
  for (const name of descriptorNames) if (payload[name] === null) delete payload[name];
  return payload;
}
