import { beforeEach, expect, it } from 'vitest';
import { SafePages } from '../../src/delivery/safe-pages.js';
import { createLogPage, type LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';

/** A log that counts how often it is read. */
class CountedLog extends MemoryEventLog {
  reads = 0;

  override readAfter(...given: Parameters<MemoryEventLog['readAfter']>): Promise<LogPage> {
    this.reads += 1;
    return super.readAfter(...given);
  }
}

const own = (seq: number) => ({
  seq,
  kind: 'event' as const,
  frames: `id: own-${seq}\ndata: {"type":"custom","data":{}}\n\n`,
});
const foreign = (seq: number) => ({
  seq,
  kind: 'event' as const,
  frames: `id: other-${seq}\ndata: "secret"\n\n`,
  safeFrames: `id: other-${seq}\ndata: "safe"\n\n`,
});
const textOf = (page: LogPage | undefined) => page && Buffer.from(page.bytes).toString();

let log: CountedLog;
let ownEpoch: string | undefined;
let pages: SafePages;
let append: (entry: ReturnType<typeof own | typeof foreign>) => Promise<void>;
beforeEach(async () => {
  log = new CountedLog();
  ownEpoch = 'own';
  pages = new SafePages({ log, sessionId: 's', maxEntries: 100, ownEpoch: () => ownEpoch });
  const { epoch } = await log.open('s');
  append = (entry) => log.append({ sessionId: 's', ...entry }, { epoch });
});

it('keeps pages written here in memory unchanged, until the last reader has left', async () => {
  const page = createLogPage([own(1)]);
  pages.take(page);
  expect(pages.peek(0)).toBe(page);
  await append(own(1));
  await append(foreign(2));
  expect(textOf(await pages.fetch(0))).toBe(own(1).frames + foreign(2).safeFrames);
  expect(pages.peek(0)).toBe(page);
  pages.release();
  expect(pages.peek(0)).not.toBe(page);
});

it('keeps pages written elsewhere in memory as projected', () => {
  pages.take(createLogPage([foreign(1)]));
  expect(textOf(pages.peek(0))).toBe(foreign(1).safeFrames);
  expect(pages.newestIds).toEqual(['other-1']);
  pages.take(createLogPage([own(2)]));
  expect(pages.newestIds).toEqual(['own-2', 'other-1']);
});

it('reads a page from the log once if all of it was written here', async () => {
  await append(own(1));
  expect(textOf(await pages.fetch(0))).toBe(own(1).frames);
  expect(log.reads).toBe(1);
});

it('projects a page after a single read if nothing was written here', async () => {
  ownEpoch = undefined;
  await append(foreign(1));
  expect(textOf(await pages.fetch(0))).toBe(foreign(1).safeFrames);
  expect(log.reads).toBe(1);
});
