import { describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

/** What a custom log may return instead of a valid page. */
const invalid: [string, (page: LogPage) => unknown][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a string', () => 'page'],
  ['a page without a firstSeq', (page) => ({ ...page, firstSeq: undefined })],
  ['a page whose firstSeq is a string', (page) => ({ ...page, firstSeq: String(page.firstSeq) })],
  ['a page whose bytes are a string', (page) => ({ ...page, bytes: String(page.bytes) })],
  ['a page without ends', (page) => ({ ...page, ends: undefined })],
  ['a page with an undefined end', (page) => ({ ...page, ends: page.ends.map(() => undefined) })],
  ['a page without marks', (page) => ({ ...page, marks: undefined })],
  ['a page with an undefined mark', (page) => ({ ...page, marks: [undefined] })],
  ['a page of earlier entries', (page) => ({ ...page, firstSeq: page.firstSeq - page.ends.length })],
];
const failure = {
  code: 'EVENT_LOG_UNAVAILABLE',
  message: expect.stringContaining('a page of later entries'),
};

/** Creates a session with one event in a log that corrupts all its pages from then on. */
async function withCorruptedReads(corrupt: (page: LogPage) => unknown) {
  const log = new MemoryEventLog();
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  const read = log.readAfter.bind(log);
  log.readAfter = async (...given) => corrupt(await read(...given)) as LogPage;
  return bridge;
}

describe.each(invalid)('a log that returns %s', (_, corrupt) => {
  it.each(['internal', 'frontend_safe'] as const)(
    'fails readers, responses and history (%s)',
    async (audience) => {
      const bridge = await withCorruptedReads(corrupt);
      await expect(bridge.generateSse({ audience }).next()).rejects.toMatchObject(failure);
      const response = await bridge.toResponse(new Request('http://page.test/'), { audience });
      await expect(response.text()).rejects.toMatchObject(failure);
      await expect(bridge.history()).rejects.toMatchObject(failure);
      expect(bridge.subscriberCount).toBe(0);
    },
  );
});

it.each(invalid.slice(0, -1))(
  'a log that delivers %s fails the readers that follow it',
  async (_, corrupt) => {
    const log = new MemoryEventLog();
    const follow = log.follow.bind(log);
    vi.spyOn(log, 'follow').mockImplementation((...given) => ({
      async *[Symbol.asyncIterator]() {
        for await (const page of follow(...given)) yield corrupt(page) as LogPage;
      },
    }));
    const bridge = new EventBridge('s', { log, logger: silentLogger });
    const reading = bridge.generateSse().next();
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emit('custom', { n: 1 });
    await expect(reading).rejects.toMatchObject(failure);
    expect(bridge.subscriberCount).toBe(0);
  },
);

it('a new reader can read the session once its log works again', async () => {
  const log = new MemoryEventLog();
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  const read = vi.spyOn(log, 'readAfter').mockResolvedValueOnce(undefined as never);
  await expect(bridge.generateSse().next()).rejects.toMatchObject(failure);
  expect((await bridge.generateSse().next()).value).toContain('"n":1');
  expect(read).toHaveBeenCalledTimes(2);
});
