import type { StreamGapReason } from '@svc/contracts';
import { epochAt } from '../log/epoch-list.js';
import { parseEventId } from '../log/event-id.js';
import type { EventPosition } from '../log/event-id.js';
import type { SessionStatus } from '../log/event-log.js';

/** Why a reader misses events, and the cursor it sent. */
export interface Gap {
  readonly reason: StreamGapReason;
  readonly requestedId: string | null;
}

/** Where a reader starts. */
export interface StartingPoint {
  /** The last entry that the reader does not get. */
  readonly afterSeq: number;
  /** How many parts of the next entry the reader has seen. */
  readonly skippedParts: number;
  /** The cursor, if it is one. */
  readonly cursor?: string;
  /** The gap to report first. */
  readonly gap?: Gap;
}

/** The maximum length of a client's cursor. */
export const LONGEST_CURSOR = 256;

/**
 * Returns where a reader starts: after its cursor; without one, or with one that is invalid here, at the first shown entry
 * of this turn.
 */
export function startingPoint(
  status: SessionStatus | undefined,
  cursor: string | undefined,
  maxHistory: number,
): StartingPoint {
  // The newest `maxHistory` of the stored entries.
  const shown = status === undefined ? 1 : Math.max(status.oldestSeq, status.headSeq - maxHistory + 1);
  const fresh = { afterSeq: Math.max(shown - 1, status?.turnSeq ?? 0), skippedParts: 0 };
  if (cursor === undefined || cursor === '') return fresh;
  const position = parseEventId(cursor);
  const requestedId = cursor.slice(0, LONGEST_CURSOR);
  if (position === undefined) return { ...fresh, gap: { reason: 'unknown', requestedId } };
  if (status === undefined || !isOfSession(position, status)) {
    return { ...fresh, gap: { reason: 'epoch', requestedId } };
  }
  const afterSeq = position.part === undefined ? position.seq : position.seq - 1;
  if (afterSeq < shown - 1) {
    return { afterSeq: shown - 1, skippedParts: 0, gap: { reason: 'evicted', requestedId } };
  }
  return { afterSeq, skippedParts: position.part ?? 0, cursor };
}

/** Whether an id belongs to the session as it is now. */
export function isKnownId(status: SessionStatus | undefined, id: string): boolean {
  const position = parseEventId(id);
  return position !== undefined && status !== undefined && isOfSession(position, status);
}

/** Whether the position's epoch wrote its entry, or the entry directly after it as its first. */
function isOfSession({ epoch, seq }: EventPosition, { epochs, headSeq }: SessionStatus): boolean {
  if (seq > headSeq) return false;
  return (
    epochAt(epochs, seq) === epoch ||
    epochs.some((start) => start.epoch === epoch && start.fromSeq === seq + 1)
  );
}
