import { STREAM_GAP_EVENT_NAME } from '@svc/contracts';
import type { StreamGapPayload } from '@svc/contracts';
import { formatEventId } from '../log/event-id.js';
import type { EventPosition } from '../log/event-id.js';
import { frameOf } from '../pipeline/serialize.js';
import { timestampNow } from '../pipeline/timestamp.js';
import type { Gap } from './cursor.js';

/** The frame that tells a reader of a gap. Its id is the cursor just before the next event, so that nothing is skipped. */
export function gapFrame(gap: Gap, before: EventPosition, oldest: EventPosition | undefined): string {
  const payload = {
    reason: gap.reason,
    requested_id: gap.requestedId,
    oldest_id: oldest === undefined ? null : formatEventId(oldest),
  } satisfies StreamGapPayload;
  const head = { ...before, type: STREAM_GAP_EVENT_NAME, timestamp: timestampNow() };
  return frameOf(head, JSON.stringify(payload));
}
