import type { EventEnvelope } from '@svc/contracts';
import { EventLogUnavailableError } from '../errors.js';
import { isRecord } from '../payloads/read-field.js';

const DATA_FIELD = '\ndata: ';
const FRAME_END = '\n\n';

/** A frame and its decoded contents. */
export interface DecodedFrame {
  readonly frame: string;
  readonly envelope: EventEnvelope;
}

/** Splits text into its frames. JSON escapes line feeds, so a blank line can only end a frame. */
export function splitFrames(frames: string): string[] {
  const parts = frames.split(FRAME_END);
  parts.pop();
  return parts.map((part) => part + FRAME_END);
}

/**
 * Decodes frames written by a bridge.
 *
 * @throws EventLogUnavailableError if an event is malformed, without repeating it as the message of `JSON.parse` would
 */
export function decodeFrames(frames: string): DecodedFrame[] {
  return splitFrames(frames).map((frame) => ({ frame, envelope: readEnvelope(frame) }));
}

function readEnvelope(frame: string): EventEnvelope {
  const text = frame.slice(frame.indexOf(DATA_FIELD) + DATA_FIELD.length, -FRAME_END.length);
  try {
    const envelope: unknown = JSON.parse(text);
    if (isRecord(envelope) && typeof envelope['type'] === 'string' && isRecord(envelope['data']))
      return envelope as unknown as EventEnvelope;
  } catch {
    // Reported below.
  }
  const malformed = new TypeError('an event of the session is malformed. Repair or remove the session');
  throw new EventLogUnavailableError('read', malformed);
}
