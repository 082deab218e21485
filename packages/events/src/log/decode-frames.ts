import type { EventEnvelope } from '@svc/contracts';

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

/** Decodes frames written by a bridge. */
export function decodeFrames(frames: string): DecodedFrame[] {
  return splitFrames(frames).map((frame) => ({
    frame,
    envelope: JSON.parse(
      frame.slice(frame.indexOf(DATA_FIELD) + DATA_FIELD.length, -FRAME_END.length),
    ) as EventEnvelope,
  }));
}
