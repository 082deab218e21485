import type { EventLog, LogEvent, LogPage } from '@svc/events';
import { beforeEach, onTestFinished } from 'vitest';
import { redisEventLog, type RedisEventLogOptions } from '../src/index.js';

let sessions = 0;

/** The id of the current test's session, in files that call `useSessions`. */
export let sessionId = '';

/** Gives each test of a file its own session. */
export function useSessions(): void {
  beforeEach(() => {
    sessionId = `session-${(sessions += 1)}`;
  });
}

/** A logger that writes nothing. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The numbers of a range, including both ends. */
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The frame of an entry, padded with `size` characters. */
export const frame = (seq: number, size = 0) => `id: ${seq}\ndata: {"n":${seq}}${'x'.repeat(size)}\n\n`;

/** The frames of a range of entries. */
export const frames = (from: number, to: number) =>
  range(from, to)
    .map((seq) => frame(seq))
    .join('');

/** An entry of the current session. */
export const entry = (seq: number, more: Partial<LogEvent> = {}): LogEvent => ({
  sessionId,
  seq,
  kind: 'event',
  frames: frame(seq),
  ...more,
});

/** The text of a page. */
export const textOf = ({ bytes }: LogPage) => Buffer.from(bytes).toString();

/** Opens a log and closes it at the end of the test. */
export function opened(options: RedisEventLogOptions): EventLog {
  const log = redisEventLog(options);
  onTestFinished(() => log.close());
  return log;
}

/** Follows the current session up to an entry and returns everything read. */
export async function followTo(log: EventLog, until: number): Promise<string> {
  let text = '';
  for await (const page of log.follow(sessionId, { afterSeq: 0 })) {
    text += textOf(page);
    if (page.firstSeq + page.ends.length - 1 >= until) return text;
  }
  return `${text}(ended)`;
}

/** Reads everything stored of the current session. */
export async function readAll(log: EventLog): Promise<string> {
  let text = '';
  for (let afterSeq = 0; ;) {
    const page = await log.readAfter(sessionId, { afterSeq });
    if (page.ends.length === 0) return text;
    text += textOf(page);
    afterSeq = page.firstSeq + page.ends.length - 1;
  }
}
