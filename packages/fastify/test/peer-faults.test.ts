import { once } from 'node:events';
import { connect } from 'node:net';
import type { EventBridge } from '@svc/events';
import { describe, expect, it } from 'vitest';
import { eventsIn, listen, open } from './app.js';

describe('the stream, unlike those of other SSE plugins', () => {
  it.each([
    ['an event name with LF', async (bridge: EventBridge) => bridge.emit('x\nevent: forged\ndata: {}\n', {})],
    ['an event name with CR', async (bridge: EventBridge) => bridge.emit('x\rid: forged', {})],
    ['an event name with NUL', async (bridge: EventBridge) => bridge.emit('x\u0000', {})],
  ])('has no fields forged by %s', async (_, emit) => {
    await using server = await listen();
    const bridge = server.bridge();
    await expect(emit(bridge)).rejects.toThrow(TypeError);
    await bridge.emitFinal('done');
    const { text, ended } = await open(server.url());
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['final']);
    expect(text()).not.toContain('forged');
  });

  it('has no fields forged by a cursor', async () => {
    await using server = await listen();
    await server.bridge().emitFinal('done');
    const cursor = 'x: y"} \\n event: forged';
    const { text, ended } = await open(`${server.url()}?last_event_id=${encodeURIComponent(cursor)}`);
    await ended;
    expect(eventsIn(text()).map(([, event]) => event)).toEqual(['stream_gap', 'final']);
    const [, gap = ''] = /^data: (.*)$/m.exec(text()) ?? [];
    expect(JSON.parse(gap).data.requested_id).toBe(cursor);
  });

  it('does not hang on a full connection when its client disconnects', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET /svc/events/s1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    const text = 'x'.repeat(50_000);
    for (let index = 0; index < 400; index += 1) await bridge.emitAssistantChunk({ assistantId: 'a', text });
    expect(bridge.subscriberCount).toBe(1);
    socket.destroy();
    while (bridge.subscriberCount > 0) await new Promise((resolve) => setImmediate(resolve));
    await bridge.emitFinal('the producer goes on');
  });
});
