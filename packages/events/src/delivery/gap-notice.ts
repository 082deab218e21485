import { STREAM_GAP_EVENT_NAME } from '@svc/contracts';
import type { StreamGapPayload } from '@svc/contracts';
import { formatEventId } from '../log/event-id.js';
import type { EventPosition } from '../log/event-id.js';
import { frameOf } from '../pipeline/serialize.js';
import { timestampNow } from '../pipeline/timestamp.js';
import type { Gap } from './cursor.js';

/** A gap not yet reported to a reader, then the frame that reports it before any other frame. */
export class GapNotice {
  #gap: Gap | undefined;
  #frame: string | undefined;
  readonly #cursor: string | undefined;

  /** `cursor` is the last event of a reader that has read nothing yet. */
  constructor(gap: Gap | undefined, cursor: string | undefined) {
    this.#gap = gap;
    this.#cursor = cursor;
  }

  /** Whether there is a gap without a frame yet. */
  get isNoted(): boolean {
    return this.#gap !== undefined;
  }

  /** Whether the frame is waiting to be taken. */
  get isReady(): boolean {
    return this.#frame !== undefined;
  }

  /** Notes a gap unless one is already noted: the first one is reported. */
  note({ reason, requestedId }: Gap): void {
    this.#gap ??= { reason, requestedId: requestedId ?? this.#cursor ?? null };
  }

  /** Creates the frame if there is a gap to report. */
  report(before: EventPosition, oldest?: EventPosition): void {
    if (this.#gap === undefined) return;
    this.#frame = gapFrame(this.#gap, before, oldest);
    this.#gap = undefined;
  }

  /** Removes and returns the frame. */
  take(): Uint8Array {
    const bytes = Buffer.from(this.#frame ?? '');
    this.#frame = undefined;
    return bytes;
  }
}

/** Creates the frame that reports a gap. Its id is the cursor just before the next event, so that nothing is skipped. */
function gapFrame(gap: Gap, before: EventPosition, oldest: EventPosition | undefined): string {
  const payload = {
    reason: gap.reason,
    requested_id: gap.requestedId,
    oldest_id: oldest === undefined ? null : formatEventId(oldest),
  } satisfies StreamGapPayload;
  const head = { ...before, type: STREAM_GAP_EVENT_NAME, timestamp: timestampNow() };
  return frameOf(head, JSON.stringify(payload));
}
