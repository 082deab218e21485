import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { forwardNormalizedEvent, forwardNormalizedStream } from '../../src/forward/forward.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { recordingBridge } from './recording-bridge.ts';

const chunk = (text: string) => buildAssistantChunkPayload({ assistantId: 'a', text });
const enough = new Error('enough');

describe('a signal', () => {
  test('ends the wait for the next event at once, and closes the source when that event arrives', async () => {
    const { bridge, events } = recordingBridge();
    const [leaving, waiting, coming] = [
      new AbortController(),
      Promise.withResolvers(),
      Promise.withResolvers(),
    ];
    const ended = Promise.withResolvers<string>();
    async function* source() {
      try {
        yield chunk('in time');
        waiting.resolve(undefined);
        await coming.promise;
        yield chunk('too late');
        ended.resolve('read on');
      } finally {
        ended.resolve('closed');
      }
    }
    const { signal } = leaving;
    const forwarding = forwardNormalizedStream(source(), { bridge, signal });
    await waiting.promise;
    leaving.abort(enough);
    await expect(forwarding).rejects.toBe(enough);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    coming.resolve(undefined);
    expect(await ended.promise).toBe('closed');
    expect(events.map(({ data }) => data.text)).toEqual(['in time']);
  });

  test.each([
    ['forwardNormalizedStream', forwardNormalizedStream, [chunk('1'), chunk('2')] as never],
    ['forwardNormalizedEvent', forwardNormalizedEvent, chunk('1') as never],
  ])('ends the wait of %s for a bridge', async (_name, forward, events) => {
    const received: unknown[] = [];
    const leaving = new AbortController();
    const bridge = {
      emit(_type: string, { text }: { readonly text?: unknown }) {
        received.push(text);
        leaving.abort(enough);
        return new Promise(() => {});
      },
    };
    await expect(forward(events, { bridge, signal: leaving.signal })).rejects.toBe(enough);
    expect(received).toEqual(['1']);
  });

  test('that aborts while a reporter is working keeps the event from the bridge', async () => {
    const { bridge, events } = recordingBridge();
    const [leaving, reported] = [new AbortController(), Promise.withResolvers()];
    const reporter = {
      reportResponseChunk: () => {
        leaving.abort(enough);
        return reported.promise;
      },
    };
    const forwarding = forwardNormalizedEvent(chunk('1') as never, {
      reporter,
      bridge,
      signal: leaving.signal,
    });
    await expect(forwarding).rejects.toBe(enough);
    reported.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([]);
  });

  test('that is already aborted keeps the source from being read', async () => {
    let isRead = false;
    const events = (function* () {
      isRead = true;
      yield chunk('1');
    })();
    await expect(forwardNormalizedStream(events, { signal: AbortSignal.abort(enough) })).rejects.toBe(enough);
    expect(isRead).toBe(false);
  });

  test('that does not abort changes nothing and keeps no listener', async () => {
    const { bridge, events } = recordingBridge();
    const { signal } = new AbortController();
    await forwardNormalizedStream([chunk('1'), chunk('2')], { bridge, signal });
    expect(events).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const failing = forwardNormalizedStream([chunk('1')], {
      signal,
      reporter: { reportResponseChunk: () => Promise.reject(enough) },
    });
    await expect(failing).rejects.toBe(enough);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
