import { openEventStream, type EventStream } from '@svc/client';
import type { EventEnvelope } from '@svc/contracts';
import { EventSource } from 'undici';

/** A reader of a session, and the events it received. */
export interface SessionReader {
  readonly events: EventEnvelope[];
  /** Resolves when the session has ended. */
  readonly done: Promise<void>;
  close(): void;
}

/** Reads a session with `@svc/client`, as a page does. */
export function pageReader(url: string): SessionReader {
  const events: EventEnvelope[] = [];
  const stream = openEventStream({ url });
  return { events, done: readAll(stream, events), close: () => stream.close() };
}

async function readAll(stream: EventStream, events: EventEnvelope[]): Promise<void> {
  for await (const event of stream) events.push(event);
}

interface Source {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: { lastEventId: string; data: string }) => void): void;
  close(): void;
}

/** Reads a session with a plain `EventSource`, which drops no repeats and has no watchdog. */
export function eventSourceReader(url: string): SessionReader {
  const events: EventEnvelope[] = [];
  const source: Source = new EventSource(url, { node: { reconnectionTime: 100 } });
  for (const name of ['session_start', 'tool_event', 'status_message', 'final', 'stream_gap']) {
    source.addEventListener(name, ({ lastEventId, data }) => {
      events.push({ ...JSON.parse(data), id: lastEventId });
    });
  }
  const done = new Promise<void>((resolve) => {
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) resolve();
    });
  });
  return { events, done, close: () => source.close() };
}

/** Reads the raw text of one connection until it ends or is cut. */
export function wireReader(url: string): { text: () => string; done: Promise<void> } {
  let text = '';
  const read = async () => {
    const { body } = await fetch(url);
    const decoder = new TextDecoder();
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true });
  };
  return { text: () => text, done: read().catch(() => undefined) };
}
