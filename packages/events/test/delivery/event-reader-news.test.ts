import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

function open() {
  const bridge = new EventBridge('s', { logger: silentLogger });
  onTestFinished(() => bridge.close());
  return bridge;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('who listens late is told of news that came before, and of what comes after', async () => {
  const bridge = open();
  const reader = await bridge.openReader();
  await bridge.emit('custom', { n: 1 });
  await turn();
  let told = 0;
  reader.onReadable(() => (told += 1));
  expect(told).toBe(1);
  expect(reader.read()).toBeDefined();
  expect(reader.read()).toBeUndefined();
  reader.onReadable(() => (told += 10));
  expect(told).toBe(1);
  await bridge.emit('custom', { n: 2 });
  await turn();
  expect(told).toBe(11);
  reader.close();
  expect(told).toBe(21);
  reader.close();
  expect(told).toBe(21);
});

it('waiting for news ends with news, with an abort and with the reader, and leaves nothing on the signal', async () => {
  const bridge = open();
  const reader = await bridge.openReader();
  while (reader.read());
  const abort = new AbortController();
  const listeners = () => getEventListeners(abort.signal, 'abort').length;

  const forNews = reader.readable(abort.signal);
  expect(listeners()).toBe(1);
  await bridge.emit('custom', { n: 1 });
  await forNews;
  expect(listeners()).toBe(0);
  await reader.readable(abort.signal);
  expect(reader.read()).toBeDefined();
  expect(reader.read()).toBeUndefined();

  const forAbort = reader.readable(abort.signal);
  abort.abort();
  await forAbort;
  await reader.readable(abort.signal);
  expect(reader.read()).toBeUndefined();

  const forEnd = reader.readable();
  reader.close();
  await forEnd;
  expect(reader.read()).toBeUndefined();
  await reader.readable();
});

it('a reader that was opened with a signal leaves nothing on it when it is closed before', async () => {
  const bridge = open();
  const { signal } = new AbortController();
  const reader = await bridge.openReader({ signal });
  expect(getEventListeners(signal, 'abort')).not.toEqual([]);
  reader.close();
  reader.close();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(bridge.subscriberCount).toBe(0);
});

it('the log is followed no longer than until the last reader is closed', async () => {
  const log = new MemoryEventLog();
  const follow = vi.spyOn(log, 'follow');
  const reader = await new EventBridge('s', { log, logger: silentLogger }).openReader();
  const signal = follow.mock.calls[0]?.[1].signal;
  expect(signal?.aborted).toBe(false);
  reader.close();
  expect(signal?.aborted).toBe(true);
});
