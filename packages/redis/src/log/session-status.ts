import type { EpochStart, SessionStatus } from '@svc/events';
import { sessionMalformed } from '../errors.js';
import { countOf } from '../stored-text.js';
import { decodeKind } from './entry-codec.js';

/**
 * Decodes the status in a script's reply, from strings or buffers; undefined if there is no session.
 * @throws RedisError if it is malformed
 */
export function decodeStatus(sessionId: string, reply: unknown): SessionStatus | undefined {
  const [fields, count] = reply as [readonly unknown[], number];
  const [epochs, head, turn, kind] = fields.map((field) => (field == null ? undefined : String(field)));
  if (epochs === undefined || head === undefined) return undefined;
  try {
    const headSeq = countOf(head);
    if (count > headSeq) throw new RangeError('more entries than were numbered');
    return {
      epochs: decodeEpochs(epochs),
      oldestSeq: headSeq - count + 1,
      headSeq,
      turnSeq: countOf(turn ?? '0'),
      headKind: decodeKind(kind),
    };
  } catch {
    throw sessionMalformed(sessionId);
  }
}

function decodeEpochs(text: string): EpochStart[] {
  return text.split(' ').map((start) => {
    const [epoch = '', fromSeq] = start.split(':');
    return { epoch, fromSeq: countOf(fromSeq) };
  });
}

/**
 * Whether a session still contains what was read up to an entry: no entry read was lost or replaced. False if Redis has
 * lost some or all of it.
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
