import type { AppEvent } from '@svc/contracts';
import type { JsonRecord } from '../payloads/read-field.js';
import type { Reporter } from './reporter.js';
import type { NormalizedEventForwardingState } from './state.js';

/** An event for a bridge: its `emit` rebuilds known families and keeps what it does not know. */
export interface Emission {
  /** @default the event's own */
  readonly eventName?: string;
  readonly payload: JsonRecord;
}

/** What one event means to a reporter and to a bridge. What is missing is not told there. */
export interface Forwarding {
  readonly report?: (reporter: Reporter) => unknown;
  readonly emission?: () => Emission | undefined;
}

/** Reads an event once, updates the state, and says whom to tell what. Nothing when the event lacks what it needs. */
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

/** The event as a payload. The null descriptors of a full dump say nothing and are left out. */
export function payloadOf(event: AppEvent): JsonRecord {
  if (!descriptorNames.some((name) => event[name] === null)) return event;
  const payload: JsonRecord = { ...event };
  for (const name of descriptorNames) if (payload[name] === null) delete payload[name];
  return payload;
}
