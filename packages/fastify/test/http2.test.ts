import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { BridgeRegistry } from '@svc/events';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountEvents } from '../src/index.js';
import type { MountOptions } from '../src/mount-options.js';
import { chunk, eventsIn, turn } from './app.js';

/** Starts an app with HTTP/2, and opens one connection to it, which the client keeps open. */
async function connect(options: MountOptions = {}) {
  const registry = new BridgeRegistry();
  const app = Fastify({ http2: true, return503OnClosing: false });
  mountEvents(app, { registry, authorize: () => true, ...options });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const session = connectHttp2(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    session.destroy();
    await app.close();
    await registry.close();
  });
  const request = (id = 's1') => session.request({ ':path': `/svc/events/${id}` });
  const read = (id?: string) => {
    const stream = request(id);
    let text = '';
    stream.setEncoding('utf8').on('data', (data: string) => (text += data));
    return { stream, text: () => text, ended: once(stream, 'close') };
  };
  return { app, registry, session, request, read };
}

/** In milliseconds; less than the 72 s after which Fastify ends a connection that its client keeps open. */
const patience = { timeout: 40_000 };

describe('HTTP/2', () => {
  it('serves many streams over one connection', async () => {
    const { registry, read } = await connect();
    const bridge = registry.getOrCreate('s1');
    await bridge.emitAssistantChunk(chunk('one'));
    const streams = Array.from({ length: 20 }, () => read());
    await vi.waitFor(() => {
      for (const { text } of streams) expect(text()).toContain(': live');
    }, patience);
    expect(bridge.subscriberCount).toBe(20);
    streams[0]?.stream.close(constants.NGHTTP2_CANCEL);
    await bridge.emitAssistantChunk(chunk('two'));
    await bridge.emitFinal('done');
    await Promise.all(streams.map(({ ended }) => ended));
    for (const { text } of streams.slice(1)) {
      expect(eventsIn(text()).map(([, event]) => event)).toEqual([
        'assistant_chunk',
        'assistant_chunk',
        'final',
      ]);
    }
  });

  it(
    'ends streams with a reconnection time when the app closes, without waiting for clients',
    patience,
    async () => {
      const { app, registry, read } = await connect();
      const bridge = registry.getOrCreate('s1');
      await bridge.emitAssistantChunk(chunk('one'));
      const readers = [read(), read(), read('later')];
      await vi.waitFor(() => {
        for (const { text } of readers) expect(text()).toContain(': live');
      }, patience);
      await app.close();
      for (const { ended, text, stream } of readers) {
        await ended;
        expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
        expect(text()).toMatch(/\n\nretry: \d+\n\n$/);
      }
      expect(bridge.subscriberCount).toBe(0);
      expect(bridge.closed).toBe(false);
    },
  );

  it('sends no HTTP/1.1 header when a closing app refuses a stream', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<boolean>();
    const authorize = (): Promise<boolean> => {
      asked.resolve();
      return answered.promise;
    };
    const { app, read, session } = await connect({ authorize });
    const { stream, text, ended } = read();
    const response = once(stream, 'response');
    await asked.promise;
    const closed = app.close();
    while (app.server.listening) await turn();
    answered.resolve(true);
    const [headers] = await response;
    await ended;
    session.close();
    await closed;
    expect([headers[':status'], JSON.parse(text())]).toMatchObject([503, { code: 'DRAINING' }]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('buffers a bounded number of bytes for a stalled reader, and continues where it stopped', async () => {
    const { app, registry, request } = await connect({ limits: { waitingBytes: 128 * 1024 } });
    const held: Writable[] = [];
    app.server.on('request', (_, { stream }) => held.push(stream));
    const bridge = registry.getOrCreate('s1');
    const stream = request();
    await once(stream, 'response');
    for (let index = 0; index < 100; index += 1) await bridge.emitAssistantChunk(chunk('x'.repeat(20_000)));
    await turn();
    expect(held[0]?.writableLength).toBeGreaterThan(0);
    expect(held[0]?.writableLength).toBeLessThanOrEqual(128 * 1024 + 1_024);
    await bridge.emitFinal('done');
    const text = await textOf(stream);
    expect(eventsIn(text)).toHaveLength(101);
  });

  it('cuts off a stalled reader when the app closes', patience, async () => {
    const { app, registry, request } = await connect({ limits: { waitingBytes: 128 * 1024 } });
    const bridge = registry.getOrCreate('s1');
    const stream = request();
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    for (let index = 0; index < 100; index += 1) await bridge.emitAssistantChunk(chunk('x'.repeat(20_000)));
    await turn();
    expect(bridge.subscriberCount).toBe(1);
    await app.close();
    expect(bridge.subscriberCount).toBe(0);
    stream.resume();
    await vi.waitFor(() => expect(stream.destroyed).toBe(true), patience);
  });

  it.each([
    ['while it is idle', 0, constants.NGHTTP2_NO_ERROR],
    ['while it is idle', 0, constants.NGHTTP2_CANCEL],
    ['in the middle of a frame', 20, constants.NGHTTP2_NO_ERROR],
    ['in the middle of a frame', 20, constants.NGHTTP2_CANCEL],
  ])('closes the reader of a stream that is reset %s (%i events, code %i)', async (_, count, code) => {
    const { registry, session, request } = await connect({ limits: { readersPerSession: 1 } });
    session.settings({ initialWindowSize: 1_000 });
    const bridge = registry.getOrCreate('s1');
    for (let index = 0; index < count; index += 1) await bridge.emitAssistantChunk(chunk('x'.repeat(20_000)));
    const stream = request();
    await once(stream, 'data');
    expect(bridge.subscriberCount).toBe(1);
    stream.close(code);
    while (bridge.subscriberCount > 0) await turn();
    const [headers] = await once(request(), 'response');
    expect(headers[':status']).toBe(200);
  });

  it('lets the app close at once after a client destroyed a stream that events were sent to', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, registry, session, request } = await connect();
    const bridge = registry.getOrCreate('s1');
    const stream = request();
    await once(stream, 'data');
    stream.destroy();
    while (bridge.subscriberCount > 0) await bridge.emitAssistantChunk(chunk('x'));
    session.close();
    await app.close();
  });

  it('lets the app close if a client closes its stream before it has taken a refusal', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, session, request } = await connect({ authorize: () => false });
    session.settings({ initialWindowSize: 0 });
    const stream = request();
    await once(stream, 'response');
    // Without an error code, after which an HTTP/2 stream of Node still waits to send the rest.
    stream.close();
    await once(stream, 'close');
    session.close();
    const closed = app.close();
    vi.advanceTimersByTime(10_000);
    await closed;
  });

  it('lets the app close if clients close their streams while the server ends them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, registry, session, request } = await connect();
    const bridge = registry.getOrCreate('s1');
    const streams = Array.from({ length: 20 }, () => request().resume());
    while (bridge.subscriberCount < streams.length) await turn();
    // Without an error code, which an HTTP/2 stream of Node treats as an end that its own end must still answer.
    for (const stream of streams) stream.close();
    await bridge.emitFinal('done');
    while (bridge.subscriberCount > 0) await turn();
    session.close();
    const closed = app.close();
    vi.advanceTimersByTime(10_000);
    await closed;
  });
});
