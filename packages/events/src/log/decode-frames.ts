import type { EventEnvelope } from '@svc/contracts';

const DATA_FIELD = '\ndata: ';
const FRAME_END = '\n\n';

/** A frame and what it carries. */
export interface DecodedFrame {
  readonly frame: string;
  readonly envelope: EventEnvelope;
}

/** Each frame of a text of frames. JSON escapes line feeds, so that a blank line can only be a frame's end. */
export function splitFrames(frames: string): string[] {
  const parts = frames.split(FRAME_END);
  parts.pop();
  return parts.map((part) => part + FRAME_END);
}

/** Reads frames that a bridge has written. */
export function decodeFrames(frames: string): DecodedFrame[] {
  return splitFrames(frames).map((frame) => ({
    frame,
    envelope: JSON.parse(
      frame.slice(frame.indexOf(DATA_FIELD) + DATA_FIELD.length, -FRAME_END.length),
    ) as EventEnvelope,
  }));
}
