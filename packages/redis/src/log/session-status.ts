import type { EpochStart, SessionStatus } from '@svc/events';
import { decodeKind } from './entry-codec.js';

/** What Redis holds of a session. */
export interface StoredSession extends SessionStatus {
  /** As it is stored: only who opens the session needs to read it. */
  readonly checkpoint?: string;
}

/** Reads the status part of the scripts' answers, with texts as strings or bytes; undefined when there is no session. */
export function decodeStatus(reply: unknown): StoredSession | undefined {
  const [fields, held] = reply as [readonly unknown[], number];
  const [epochs, head, turn, kind, checkpoint] = fields.map((field) =>
    field == null ? undefined : String(field),
  );
  if (epochs === undefined || head === undefined) return undefined;
  const headSeq = Number(head);
  return {
    epochs: decodeEpochs(epochs),
    oldestSeq: headSeq - held + 1,
    headSeq,
    turnSeq: Number(turn ?? 0),
    headKind: decodeKind(kind),
    ...(checkpoint !== undefined && { checkpoint }),
  };
}

function decodeEpochs(text: string): EpochStart[] {
  return text.split(' ').map((start) => {
    const [epoch = '', fromSeq = ''] = start.split(':');
    return { epoch, fromSeq: Number(fromSeq) };
  });
}

/**
 * Whether a session is still the one that was read up to an entry: nobody has written other entries in place of those
 * read, and none of them is lost. It is not when Redis lost some or all of it.
 */
export function continues(
  before: SessionStatus | undefined,
  now: SessionStatus | undefined,
  readTo: number,
): boolean {
  if (now === undefined) return before === undefined && readTo === 0;
  if (now.headSeq < readTo) return false;
  if (before === undefined) return true;
  const writer = before.epochs.at(-1)?.epoch;
  const known = now.epochs.findIndex(({ epoch }) => epoch === writer);
  return known >= 0 && now.epochs.slice(known + 1).every(({ fromSeq }) => fromSeq > readTo);
}
