import type { EventEnvelope } from '@svc/contracts';
import type { EventSourceMessage } from 'eventsource-parser';
import { object, text } from '../read-data.js';

/** Returns the envelope in a frame, if there is one. The frame's id and event name override the envelope's. */
export function decodeEnvelope(frame: EventSourceMessage): EventEnvelope | undefined {
  try {
    const envelope = object(JSON.parse(frame.data));
    const data = object(envelope?.['data']);
    const type = frame.event || text(envelope?.['type']);
    if (data && type)
      return {
        id: frame.id ?? text(envelope?.['id']) ?? '',
        type,
        timestamp: text(envelope?.['timestamp']) ?? '',
        data,
      };
  } catch {
    // Not JSON, so not an envelope. The connection counts it.
  }
  return undefined;
}
