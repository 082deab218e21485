import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';
import { uncaughtErrors } from '../uncaught-errors.js';

function open() {
  const bridge = new EventBridge('s', { logger: silentLogger });
  onTestFinished(() => bridge.close());
  return bridge;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a reader calls a late listener for an event that arrived before, and for later ones', async () => {
  const bridge = open();
  const reader = await bridge.openReader();
  await bridge.emit('custom', { n: 1 });
  await turn();
  let calls = 0;
  reader.onReadable(() => (calls += 1));
  expect(calls).toBe(1);
  expect(reader.read()).toBeDefined();
  expect(reader.read()).toBeUndefined();
  reader.onReadable(() => (calls += 10));
  expect(calls).toBe(1);
  await bridge.emit('custom', { n: 2 });
  await turn();
  expect(calls).toBe(11);
  reader.close();
  expect(calls).toBe(21);
  reader.close();
  expect(calls).toBe(21);
});

it('a reader that waits before its first read is told of the stored events', async () => {
  const bridge = open();
  await bridge.emit('custom', { n: 1 });
  const reader = await bridge.openReader();
  let calls = 0;
  reader.onReadable(() => (calls += 1));
  expect(calls).toBe(1);
  const outcome = Promise.race([reader.readable().then(() => 'readable'), turn().then(() => 'waiting')]);
  expect(await outcome).toBe('readable');
  expect(reader.read()).toBeDefined();
});

it('readable resolves on an event, an abort or the end of the reader, and leaves no listener on the signal', async () => {
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

it('readable resolves when the bridge closes but keeps the session, if nothing is left to read', async () => {
  const bridge = open();
  const reader = await bridge.openReader();
  await bridge.emit('custom', { n: 1 });
  await turn();
  while (reader.read());
  const forEnd = reader.readable();
  await bridge.close({ keepSession: true });
  await forEnd;
  expect([reader.read(), reader.isEnded]).toEqual([undefined, true]);
});

it('a listener that throws does not end the reader; its error is uncaught', async () => {
  const thrown = uncaughtErrors();
  const bridge = open();
  const readers = [await bridge.openReader(), await bridge.openReader()];
  const error = new Error('of the listener');
  for (const reader of readers) {
    reader.onReadable(() => {
      throw error;
    });
  }
  await turn();
  expect(thrown.splice(0)).toEqual([error, error]);
  for (const n of [1, 2]) {
    await bridge.emit('custom', { n });
    await turn();
    for (const reader of readers) expect(reader.read()).toBeDefined();
    expect(thrown).toEqual(Array.from({ length: 2 * n }, () => error));
  }
  await bridge.close();
  await turn();
  for (const reader of readers)
    expect([reader.read(), reader.isEnded, reader.failure]).toEqual([undefined, true, undefined]);
  await turn();
});

it('a reader fetches entries only once, even if it is read again meanwhile', async () => {
  const log = new MemoryEventLog();
  const read = vi.spyOn(log, 'readAfter');
  const bridge = new EventBridge('s', { log, logger: silentLogger, maxHistory: 1_000 });
  const reader = await bridge.openReader();
  for (let n = 0; n < 5; n += 1) await bridge.emit('custom', { n, large: 'x'.repeat(300_000) });
  await turn();
  const before = read.mock.calls.length;
  while (reader.read());
  const asked = read.mock.calls.length;
  expect(asked).toBe(before + 1);
  expect([reader.read(), reader.read()]).toEqual([undefined, undefined]);
  expect(read).toHaveBeenCalledTimes(asked);
  reader.close();
});

describe('a reader whose log cannot be read', () => {
  function failing() {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger });
    const failure = new Error('lost');
    const read = vi.spyOn(log, 'readAfter');
    return { bridge, read, failure, fail: () => read.mockRejectedValueOnce(failure) };
  }

  it('has ended when it is opened, with the error as its failure', async () => {
    const { bridge, read, failure, fail } = failing();
    await bridge.emit('custom', { n: 1 });
    fail();
    const reader = await bridge.openReader();
    expect([reader.isEnded, reader.failure, reader.read()]).toEqual([true, failure, undefined]);
    expect(read).toHaveBeenCalledOnce();
    expect(bridge.subscriberCount).toBe(0);
  });

  it('ends while it is read, wakes its waiter, and has the error as its failure', async () => {
    const { bridge, failure, fail } = failing();
    const reader = await bridge.openReader();
    for (let n = 0; n < 5; n += 1) await bridge.emit('custom', { n, large: 'x'.repeat(300_000) });
    await turn();
    fail();
    while (reader.read());
    await reader.readable();
    expect([reader.isEnded, reader.failure, reader.read()]).toEqual([true, failure, undefined]);
    expect(bridge.subscriberCount).toBe(0);
  });
});

it('a reader removes its listener from the signal when it is closed', async () => {
  const bridge = open();
  const { signal } = new AbortController();
  const reader = await bridge.openReader({ signal });
  expect(getEventListeners(signal, 'abort')).not.toEqual([]);
  reader.close();
  reader.close();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(bridge.subscriberCount).toBe(0);
});

it('a bridge stops following the log when its last reader is closed', async () => {
  const log = new MemoryEventLog();
  const follow = vi.spyOn(log, 'follow');
  const reader = await new EventBridge('s', { log, logger: silentLogger }).openReader();
  const signal = follow.mock.calls[0]?.[1].signal;
  expect(signal?.aborted).toBe(false);
  reader.close();
  expect(signal?.aborted).toBe(true);
});
