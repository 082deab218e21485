import { encodeFrame } from '@svc/contracts/sse';
import { decodeFrames } from '../log/decode-frames.js';
import { sanitizeData } from './sanitize.js';

/**
 * The frames of an entry for `frontend_safe` readers, computed from those of the internal audience alone. Where that
 * is not enough, because private values stand in it, the writer has put the frames into the log.
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
