import { expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

it.each(['return', 'throw'] as const)(
  '%s detaches the reader at once, even while a pull is waiting',
  async (how) => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    const frames = bridge.generateSse();
    const waiting = frames.next();
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    const reason = new Error('enough');
    const left = (how === 'return' ? frames.return() : frames.throw(reason)).catch((error: unknown) => error);
    expect(bridge.subscriberCount).toBe(0);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await left).toEqual(how === 'return' ? { done: true, value: undefined } : reason);
  },
);

it('a stream detaches its reader at the end of an `await using` block', async () => {
  const bridge = new EventBridge('s', { logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  {
    await using frames = bridge.generateSse();
    await frames.next();
    expect(bridge.subscriberCount).toBe(1);
  }
  expect(bridge.subscriberCount).toBe(0);
});

it('a stream whose signal is already aborted does not access the log', async () => {
  const log = new MemoryEventLog();
  log.inspect = () => Promise.reject(new Error('the log is gone'));
  const bridge = new EventBridge('s', { log, logger: silentLogger });
  const frames = bridge.generateSse({ signal: AbortSignal.abort() });
  expect(await frames.next()).toEqual({ done: true, value: undefined });
});

it('a signal ends a stream even between frames that were read together', async () => {
  const bridge = new EventBridge('s', { logger: silentLogger });
  for (const n of [1, 2, 3]) await bridge.emit('custom', { n });
  const leaving = new AbortController();
  const frames = bridge.generateSse({ signal: leaving.signal });
  expect((await frames.next()).value).toContain('"n":1');
  leaving.abort();
  expect(await frames.next()).toEqual({ done: true, value: undefined });
});
