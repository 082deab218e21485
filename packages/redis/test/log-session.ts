import type { EventLog, LogEvent, LogPage } from '@svc/events';
import { beforeEach, onTestFinished } from 'vitest';
import { redisEventLog, type RedisEventLogOptions } from '../src/index.js';

let sessions = 0;

/** The session of the test at hand, where its file has `useSessions`. */
export let sessionId = '';

/** Gives every test of a file a session of its own. */
export function useSessions(): void {
  beforeEach(() => {
    sessionId = `session-${(sessions += 1)}`;
  });
}

/** A logger that says nothing. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The numbers of a range, both ends included. */
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The text of an entry, with as many characters more as `size` says. */
export const frame = (seq: number, size = 0) => `id: ${seq}\ndata: {"n":${seq}}${'x'.repeat(size)}\n\n`;

/** The text of these entries. */
export const frames = (from: number, to: number) =>
  range(from, to)
    .map((seq) => frame(seq))
    .join('');

/** An entry of the session at hand. */
export const entry = (seq: number, more: Partial<LogEvent> = {}): LogEvent => ({
  sessionId,
  seq,
  kind: 'event',
  frames: frame(seq),
  ...more,
});

/** The text of a page. */
export const textOf = ({ bytes }: LogPage) => Buffer.from(bytes).toString();

/** A log that is closed at the end of the test. */
export function opened(options: RedisEventLogOptions): EventLog {
  const log = redisEventLog(options);
  onTestFinished(() => log.close());
  return log;
}

/** Follows the session at hand until an entry was read, and gives all that was read. */
export async function followTo(log: EventLog, until: number): Promise<string> {
  let text = '';
  for await (const page of log.follow(sessionId, { afterSeq: 0 })) {
    text += textOf(page);
    if (page.firstSeq + page.ends.length - 1 >= until) return text;
  }
  return `${text}(ended)`;
}

/** All that is held of the session at hand. */
export async function readAll(log: EventLog): Promise<string> {
  let text = '';
  for (let afterSeq = 0; ;) {
    const page = await log.readAfter(sessionId, { afterSeq });
    if (page.ends.length === 0) return text;
    text += textOf(page);
    afterSeq = page.firstSeq + page.ends.length - 1;
  }
}
