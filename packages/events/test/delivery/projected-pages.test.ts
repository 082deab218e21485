import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

describe('readers of an internal bridge that may see less', () => {
  it('get all of the turn, also when one that resumed in its midst read before them', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    for (const n of [1, 2]) await bridge.emit('custom', { n });
    const [, second] = await bridge.history();
    const lastEventId = second?.id ?? '';
    const resumed = collectEvents(bridge.generateSse({ audience: 'frontend_safe', lastEventId }), 1);
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emit('custom', { n: 3 });
    expect((await resumed).map(({ data }) => data.n)).toEqual([3]);
    await bridge.emitFinal('done');
    const fresh = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    expect(fresh.map(({ type, data }) => data.n ?? type)).toEqual([1, 2, 3, 'final']);
  });

  it('have cursors that are good for those who see all: an event of which they saw a part is whole there', async () => {
    const privateValues = () => [{ name: 'token', value: 'sk-live-123' }];
    const bridge = new EventBridge('s', { logger: silentLogger, privateValues });
    for (const assistantId of ['a', 'b'])
      await bridge.emitAssistantChunk({ assistantId, text: 'on sk-live' });
    await bridge.emitFinal('done');
    const safe = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    const parts = safe.filter(({ id }) => id.includes('.'));
    expect(parts.map(({ data }) => data.text)).toEqual(['sk-live', 'sk-live']);
    for (const { id: lastEventId } of parts) {
      const rest = await readAll(bridge.generateSse({ lastEventId }));
      expect(rest.map(({ type }) => type)).toEqual(['final']);
      const again = await readAll(bridge.generateSse({ lastEventId, audience: 'frontend_safe' }));
      expect(again).toEqual(safe.slice(safe.findIndex(({ id }) => id === lastEventId) + 1));
    }
  });
});

describe.each(['internal', 'frontend_safe'] as const)('readers of the audience %s', (audience) => {
  it('share the bytes of an event: it is projected and serialized once, however many read', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    for (const n of [1, 2, 3]) await bridge.emit('custom', { n });
    const bytes: (ArrayBufferLike | undefined)[] = [];
    for (let i = 0; i < 3; i += 1) {
      const reader = await bridge.openReader({ audience });
      bytes.push(reader.read()?.buffer);
      reader.close();
    }
    expect(bytes[0]).toBeDefined();
    expect(new Set(bytes).size).toBe(1);
  });
});

describe.each(['internal', 'frontend_safe'] as const)('a slow reader of the audience %s', (audience) => {
  it('gets what the log still holds, also what new readers are not given any more', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger, maxHistory: 5 });
    const frames = bridge.generateSse({ audience });
    const first = frames.next();
    await bridge.emit('custom', { n: 1 });
    await first;
    for (let n = 2; n <= 30; n += 1) {
      await bridge.emit('custom', { n });
      // One page each, as events come that a model takes its time for.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const rest = await collectEvents(frames, 29);
    expect(rest.map(({ data }) => data.n)).toEqual(Array.from({ length: 29 }, (_, i) => i + 2));
  });
});
