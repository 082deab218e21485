import type { EntryKind } from '../log/entry-kind.js';
import type { EventLog, LogEvent } from '../log/event-log.js';
import { lastSeqOf, slicePage } from '../log/log-page.js';
import type { LogPage } from '../log/log-page.js';

/** The logs under test; every test has new ones. */
export interface SuiteLogs {
  readonly log: EventLog;
  /** Another client of the same storage. */
  connect(): Promise<EventLog>;
}

export const SESSION = 'session-1';

export function entry(seq: number, over: Partial<LogEvent> = {}): LogEvent {
  return { sessionId: SESSION, seq, kind: 'event', frames: frameOf(seq), ...over };
}

export function frameOf(seq: number): string {
  return `id: ${seq}\ndata: {"n":${seq}}\n\n`;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

export async function readAll(log: EventLog, afterSeq: number): Promise<LogPage[]> {
  const pages: LogPage[] = [];
  for (let after = afterSeq; ;) {
    const page = await log.readAfter(SESSION, { afterSeq: after });
    if (page.ends.length === 0) return pages;
    if (page.firstSeq <= after) throw new Error(`readAfter ${after} returned entry ${page.firstSeq}`);
    pages.push(page);
    after = lastSeqOf(page);
  }
}

/** The frames of each entry. */
export function framesOf(pages: LogPage | readonly LogPage[]): string[] {
  return [pages].flat().flatMap((page) =>
    page.ends.map((_, i) => {
      const { bytes } = slicePage(page, page.firstSeq + i, page.firstSeq + i);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    }),
  );
}

export async function collect(
  log: EventLog,
  { afterSeq, until }: { afterSeq: number; until: number },
): Promise<string[]> {
  const frames: string[] = [];
  for await (const page of log.follow(SESSION, { afterSeq })) {
    frames.push(...framesOf(page));
    if (lastSeqOf(page) >= until) break;
  }
  return frames;
}

export async function untilEnd(pages: AsyncIterable<LogPage>): Promise<number> {
  let count = 0;
  for await (const _ of pages) count += 1;
  return count;
}

/** Appends entries from one sequence number to another. */
export async function write(
  log: EventLog,
  { epoch, from, to = from, kind = 'event' }: { epoch: string; from: number; to?: number; kind?: EntryKind },
): Promise<void> {
  for (let seq = from; seq <= to; seq += 1) await log.append(entry(seq, { kind }), { epoch });
}
