import { openEventStream } from '@svc/client';
import type { EventEnvelope } from '@svc/contracts';

/** Reads a session's events until one matches: from the current turn, or all after an id. */
export async function readUntil(
  url: string,
  fits: (event: EventEnvelope) => boolean,
  lastEventId?: string,
): Promise<EventEnvelope[]> {
  const events: EventEnvelope[] = [];
  for await (const event of openEventStream({ url, lastEventId, signal: AbortSignal.timeout(60_000) })) {
    events.push(event);
    if (fits(event)) break;
  }
  return events;
}

/** Returns a field of an event's data, whatever the event. */
export function field(event: EventEnvelope | undefined, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    event?.data,
  );
}

/** Sends JSON to the demo's API. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
