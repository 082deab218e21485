import { describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

/** What a log of somebody's own may give in place of a page. */
const spoilt: [string, (page: LogPage) => unknown][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a text', () => 'page'],
  ['a page that begins nowhere', (page) => ({ ...page, firstSeq: undefined })],
  ['a page that begins at a text', (page) => ({ ...page, firstSeq: String(page.firstSeq) })],
  ['a page of text', (page) => ({ ...page, bytes: String(page.bytes) })],
  ['a page without ends', (page) => ({ ...page, ends: undefined })],
  ['a page with an end that is none', (page) => ({ ...page, ends: page.ends.map(() => undefined) })],
  ['a page without marks', (page) => ({ ...page, marks: undefined })],
  ['a page with a mark that is none', (page) => ({ ...page, marks: [undefined] })],
  ['the page before', (page) => ({ ...page, firstSeq: page.firstSeq - page.ends.length })],
];
const failure = {
  code: 'EVENT_LOG_UNAVAILABLE',
  message: expect.stringContaining('a page of later entries'),
};

/** A session with an event, in a log whose answers are spoilt from now on. */
async function withSpoiltReads(spoil: (page: LogPage) => unknown) {
  const log = new MemoryEventLog();
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  const read = log.readAfter.bind(log);
  log.readAfter = async (...given) => spoil(await read(...given)) as LogPage;
  return bridge;
}

describe.each(spoilt)('a log that gives %s', (_, spoil) => {
  it.each(['internal', 'frontend_safe'] as const)('fails those who ask for it (%s)', async (audience) => {
    const bridge = await withSpoiltReads(spoil);
    await expect(bridge.generateSse({ audience }).next()).rejects.toMatchObject(failure);
    const response = await bridge.toResponse(new Request('http://page.test/'), { audience });
    await expect(response.text()).rejects.toMatchObject(failure);
    await expect(bridge.history()).rejects.toMatchObject(failure);
    expect(bridge.subscriberCount).toBe(0);
  });
});

it.each(spoilt.slice(0, -1))('a log that brings %s fails those who follow it', async (_, spoil) => {
  const log = new MemoryEventLog();
  const follow = log.follow.bind(log);
  vi.spyOn(log, 'follow').mockImplementation((...given) => ({
    async *[Symbol.asyncIterator]() {
      for await (const page of follow(...given)) yield spoil(page) as LogPage;
    },
  }));
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  const reading = bridge.generateSse().next();
  await bridge.waitForSubscriber({ timeoutMs: 10_000 });
  await bridge.emit('custom', { n: 1 });
  await expect(reading).rejects.toMatchObject(failure);
  expect(bridge.subscriberCount).toBe(0);
});

it('a session is read on by who comes when its log can be read again', async () => {
  const log = new MemoryEventLog();
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  const read = vi.spyOn(log, 'readAfter').mockResolvedValueOnce(undefined as never);
  await expect(bridge.generateSse().next()).rejects.toMatchObject(failure);
  expect((await bridge.generateSse().next()).value).toContain('"n":1');
  expect(read).toHaveBeenCalledTimes(2);
});
