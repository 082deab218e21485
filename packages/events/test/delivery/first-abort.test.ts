import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { firstAbort } from '../../src/delivery/first-abort.js';
import { silentLogger } from '../silent-logger.js';

it.each([0, 1])('aborts when signal %i aborts first, and removes its listeners from both', (which) => {
  const sources = [new AbortController(), new AbortController()];
  const { signal } = firstAbort([undefined, ...sources.map((source) => source.signal)]);
  expect(signal.aborted).toBe(false);
  sources[which]?.abort('enough');
  expect(signal.reason).toBe('enough');
  expect(sources.flatMap((source) => getEventListeners(source.signal, 'abort'))).toEqual([]);
});

it('is aborted from the start if one of its signals is', () => {
  const { signal } = firstAbort([new AbortController().signal, AbortSignal.abort('before')]);
  expect(signal.reason).toBe('before');
});

const url = 'http://app.test/svc/events/s';

it.each<[string, (bridge: EventBridge, signal: AbortSignal) => Promise<unknown>]>([
  [
    'generateSse',
    async (bridge, signal) => {
      for await (const frame of bridge.generateSse({ signal })) expect(frame).not.toBe('');
    },
  ],
  [
    'generateSse that is returned early',
    async (bridge, signal) => {
      const frames = bridge.generateSse({ signal });
      await frames.next();
      await frames.return();
    },
  ],
  [
    'generateSse that fails',
    async (bridge, signal) => {
      await expect(bridge.generateSse({ signal, audience: 'x' } as never).next()).rejects.toThrow();
    },
  ],
  ['a response', async (bridge, signal) => (await bridge.toResponse(new Request(url), { signal })).text()],
  [
    'a response whose body is cancelled',
    async (bridge, signal) => (await bridge.toResponse(new Request(url), { signal })).body?.cancel(),
  ],
  [
    'a 204 response',
    async (bridge, signal) => {
      await bridge.close();
      const lastEventId = (await bridge.history()).at(-1)?.id;
      expect((await bridge.toResponse(new Request(url), { signal, lastEventId })).status).toBe(204);
    },
  ],
  [
    'a response whose request was aborted',
    async (bridge, signal) => {
      const leaving = new AbortController();
      await bridge.toResponse(new Request(url, { signal: leaving.signal }), { signal });
      leaving.abort();
    },
  ],
  [
    'a response that fails',
    async (bridge, signal) => {
      await expect(bridge.toResponse(new Request(url), { signal, audience: 'x' } as never)).rejects.toThrow();
    },
  ],
])('%s leaves nothing on a long-lived signal', async (_what, stream) => {
  const bridge = new EventBridge('s', { logger: silentLogger });
  await bridge.emit('custom', { n: 1 });
  await bridge.emitFinal('done');
  const { signal } = new AbortController();
  await stream(bridge, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  // Node keeps weak references there to every signal created from it with AbortSignal.any.
  const notes = Object.getOwnPropertySymbols(signal).map((key) => inspect(Reflect.get(signal, key)));
  expect(notes.join()).not.toContain('WeakRef');
});
