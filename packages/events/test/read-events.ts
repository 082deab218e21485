import type { EventEnvelope } from '@svc/contracts';
import { decodeFrames } from '../src/log/decode-frames.js';

/** Reads frames until they end or `count` events have arrived; skips keep-alives. */
export async function collectEvents(frames: AsyncGenerator<string>, count: number): Promise<EventEnvelope[]> {
  const events: EventEnvelope[] = [];
  while (events.length < count) {
    const { value, done } = await frames.next();
    if (done) return events;
    if (!value.startsWith(':')) events.push(...decodeFrames(value).map(({ envelope }) => envelope));
  }
  await frames.return(undefined);
  return events;
}

/** Reads frames until they end. */
export function readAll(frames: AsyncGenerator<string>): Promise<EventEnvelope[]> {
  return collectEvents(frames, Number.POSITIVE_INFINITY);
}
