import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { listen } from './app.js';

const readers = 1_000;
const events = 40;
/** More than a connection buffers, so that a stalled reader really falls behind. */
const eventsBefore = 480;
const text = 'x'.repeat(20_000);

/** Opens a bare reader, which counts the ends of frames. */
async function read(port: number, { isStalled, cursor = '' }: { isStalled: boolean; cursor?: string }) {
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  if (isStalled) socket.pause();
  const seen = { frames: 0 };
  if (!isStalled) {
    socket.on('data', (chunk) => {
      for (let at = chunk.indexOf('"}}\n\n'); at >= 0; at = chunk.indexOf('"}}\n\n', at + 1))
        seen.frames += 1;
    });
  }
  socket.write(`GET /svc/events/s1?last_event_id=${cursor} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { socket, seen };
}

it('a stalled reader among 1,000 delays neither the producer nor the others, and its memory is bounded', async () => {
  await using server = await listen({ limits: { readersPerSession: readers + 1 } });
  const bridge = server.bridge();
  const connections: Socket[] = [];
  server.app.server.on('connection', (socket) => connections.push(socket));
  const port = Number(new URL(server.origin).port);
  const stalled = await read(port, { isStalled: true });
  for (let index = 0; index < eventsBefore; index += 1)
    await bridge.emitAssistantChunk({ assistantId: 'a', text });
  const cursor = (await bridge.history()).at(-1)?.id ?? '';
  const others = await Promise.all(
    Array.from({ length: readers - 1 }, () => read(port, { isStalled: false, cursor })),
  );
  while (bridge.subscriberCount < readers) await new Promise((resolve) => setImmediate(resolve));
  for (let index = 0; index < events; index += 1) {
    await bridge.emitAssistantChunk({ assistantId: 'a', text });
    // A producer yields to the event loop, so that readers can keep up.
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (others.some(({ seen }) => seen.frames < events))
    await new Promise((resolve) => setImmediate(resolve));
  expect(bridge.subscriberCount).toBe(readers);
  // Unsent events stay in the log: at most `limits.waitingBytes` wait on the connection.
  const waiting = () => connections.map(({ writableLength }) => writableLength).filter((bytes) => bytes > 0);
  while (waiting().length > 1) await new Promise((resolve) => setImmediate(resolve));
  expect(waiting()).toHaveLength(1);
  expect(waiting()[0]).toBeLessThanOrEqual(1024 * 1024);
  for (const { socket } of [stalled, ...others]) socket.destroy();
  while (bridge.subscriberCount > 0) await new Promise((resolve) => setImmediate(resolve));
});
