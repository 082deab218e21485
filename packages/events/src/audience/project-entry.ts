import { encodeFrame } from '@svc/contracts/sse';
import { decodeFrames } from '../log/decode-frames.js';
import { sanitizeData } from './sanitize.js';

/**
 * Returns the frames of an entry for `frontend_safe` readers, computed only from those of the internal audience. If that is
 * not enough, because the entry contains private values, the writer has stored the safe frames in the log.
 */
export function projectEntry(frames: string): string {
  let projected = '';
  for (const { frame, envelope } of decodeFrames(frames)) {
    const data = sanitizeData(envelope.type, envelope.data);
    projected +=
      data === envelope.data
        ? frame
        : encodeFrame({ id: envelope.id, event: envelope.type, data: JSON.stringify({ ...envelope, data }) });
  }
  return projected;
}
