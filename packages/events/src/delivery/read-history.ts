import type { EventEnvelope } from '@svc/contracts';
import { decodeFrames } from '../log/decode-frames.js';
import type { EventLog } from '../log/event-log.js';
import { lastSeqOf, slicePage } from '../log/log-page.js';
import type { LogPage } from '../log/log-page.js';
import { checkedPage } from './checked-page.js';
import { startingPoint } from './cursor.js';
import { asBuffer } from './frame-bytes.js';

/** Reads the events that a new reader without a cursor would get. */
export async function readHistory(
  sessionId: string,
  { log, maxHistory }: { log: EventLog; maxHistory: number },
  show: (page: LogPage) => LogPage,
): Promise<EventEnvelope[]> {
  const status = await log.inspect(sessionId);
  if (status === undefined) return [];
  const events: EventEnvelope[] = [];
  let { afterSeq } = startingPoint(status, undefined, maxHistory);
  while (afterSeq < status.headSeq) {
    const stored = checkedPage(await log.readAfter(sessionId, { afterSeq }), afterSeq);
    // Later entries may belong to the next turn.
    const page = show(slicePage(stored, afterSeq + 1, status.headSeq));
    if (page.ends.length === 0) break;
    for (const { envelope } of decodeFrames(asBuffer(page.bytes).toString())) events.push(envelope);
    afterSeq = lastSeqOf(page);
  }
  return events;
}
