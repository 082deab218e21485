import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { silentLogger } from '../silent-logger.js';

afterEach(() => {
  vi.useRealTimers();
});

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Returns a function that pulls the next string sent. */
const pulls = {
  generateSse: (bridge: EventBridge) => {
    const frames = bridge.generateSse();
    return async () => (await frames.next()).value ?? '';
  },
  toResponse: (bridge: EventBridge) => {
    const decoder = new TextDecoder();
    const body = bridge.toResponse(new Request('http://localhost/')).then((response) => {
      const reader = response.body?.getReader();
      // Skips the comment that opens the stream.
      return reader?.read().then(() => reader);
    });
    return async () => decoder.decode((await (await body)?.read())?.value);
  },
};

describe.each(['generateSse', 'toResponse'] as const)('a keep-alive of %s', (name) => {
  it('is sent after heartbeatIntervalMs without output, even if text arrives that is still held back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
    const bridge = new EventBridge('s', {
      logger: silentLogger,
      audience: 'frontend_safe',
      heartbeatIntervalMs: 1000,
      privateValues: () => [{ name: 'key', value: 'k'.repeat(40) }],
    });
    await bridge.emit('custom', { n: 1 });
    const pull = pulls[name](bridge);
    expect(await pull()).toContain('"n":1');
    let sentAt: number | undefined;
    const sent = pull().then((text) => {
      sentAt = Date.now();
      return text;
    });
    for (let i = 0; i < 3; i += 1) {
      await nextTurn();
      await vi.advanceTimersByTimeAsync(400);
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'kkkk' });
      await nextTurn();
    }
    expect(sentAt).toBe(1000);
    expect(await sent).toMatch(/^: keepalive /);
    const end = pull();
    await bridge.emitFinal('done');
    expect(await end).toContain('kkkk');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is sent after 15 seconds by default', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
    const bridge = new EventBridge('s', { logger: silentLogger });
    await bridge.emit('custom', { n: 1 });
    const pull = pulls[name](bridge);
    await pull();
    let sentAt: number | undefined;
    void pull().then(() => (sentAt = Date.now()));
    await nextTurn();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sentAt).toBe(15_000);
    await bridge.emitFinal('done');
  });
});
