import { createServer, get, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EventBridge } from '@svc/events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ChunkFramer } from '../../src/streams/chunk-framer.js';
import { FlushQueue } from '../../src/streams/flush-queue.js';
import { Heartbeats } from '../../src/streams/heartbeats.js';
import { StreamWriter } from '../../src/streams/stream-writer.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Opens a response whose client reads nothing until the test does, and a writer for it. */
async function connect({ waitingBytes = 128 * 1024, highWaterMark = 64 * 1024 } = {}) {
  const server = createServer({ highWaterMark });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => undefined);
  const [[, response]] = (await Promise.all([once(server, 'request'), once(request, 'socket')])) as [
    [unknown, ServerResponse],
    unknown,
  ];
  response.writeHead(200);
  response.flushHeaders();
  const [incoming] = await once(request, 'response');
  const ends: unknown[] = [];
  const failures: unknown[] = [];
  const heartbeats = new Heartbeats(60_000);
  const context = {
    framer: new ChunkFramer(),
    flushes: new FlushQueue(),
    heartbeats,
    waitingBytes,
    onEnd: () => void ends.push(true),
  };
  const log = { error: ({ err }: { err: unknown }) => void failures.push(err) };
  const writer = new StreamWriter(context, { sessionId: 's1', response, log });
  cleanups.push(() => {
    request.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { response, incoming, request, writer, ends, failures, heartbeats };
}

async function bridgeWith(events: number, text = 'x'.repeat(2_000)) {
  const bridge = new EventBridge('s1');
  cleanups.push(() => bridge.close());
  for (let index = 0; index < events; index += 1) await bridge.emitAssistantChunk({ assistantId: 'a', text });
  return bridge;
}

async function textOf(incoming: AsyncIterable<Buffer>, until: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of incoming) {
    text += chunk.toString();
    if (until(text)) break;
  }
  return text;
}

describe('StreamWriter', () => {
  it('buffers a bounded number of bytes for a stalled reader, and continues where it stopped', async () => {
    const bridge = await bridgeWith(0);
    const { response, incoming, writer } = await connect();
    writer.attach(await bridge.openReader());
    let most = 0;
    for (let index = 0; index < 1_000; index += 1) {
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'x'.repeat(30_000) });
      if (index % 10 === 0) await turn();
      most = Math.max(most, response.writableLength);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(128 * 1024 + 1_024);
    void bridge.emitFinal('done');
    const text = await textOf(incoming, () => false);
    // The bridge keeps the newest 500 events; those that this reader was too slow for are reported as a gap.
    expect(text).toContain('event: final');
    expect(text.match(/\nevent: assistant_chunk\n/g)?.length).toBeGreaterThan(400);
    // Every frame is whole, in order, and sent once.
    for (const [, json = ''] of text.matchAll(/^data: (.*)$/gm)) expect(() => JSON.parse(json)).not.toThrow();
    const seqs = [...text.matchAll(/^id: .*-(\d+)$/gm)].map(([, seq]) => Number(seq));
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
  });

  it('sends a long replay whole and in order through a small buffer', async () => {
    const bridge = await bridgeWith(60);
    const { incoming, writer } = await connect({ waitingBytes: 1 });
    writer.attach(await bridge.openReader());
    const text = await textOf(incoming, (soFar) => soFar.includes(': live'));
    const ids = [...text.matchAll(/^id: .*-(\d+)$/gm)].map(([, seq]) => Number(seq));
    expect(ids).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(text.startsWith(': replay\n\nid: ')).toBe(true);
    expect(text.endsWith('\n\n: live\n\n')).toBe(true);
  });

  it('writes a replay in few parts to a connection that buffers more than the limit by itself', async () => {
    const bridge = await bridgeWith(60);
    const { response, incoming, writer } = await connect({ highWaterMark: 1024 * 1024 });
    const write = vi.spyOn(response.socket ?? expect.fail('no socket'), 'write');
    writer.attach(await bridge.openReader());
    expect(write.mock.calls.length).toBeLessThan(100);
    const text = await textOf(incoming, (soFar) => soFar.includes(': live'));
    expect(text.match(/\nevent: assistant_chunk\n/g)).toHaveLength(60);
  });

  it('sends all events before its end, even if the connection takes fewer at once', async () => {
    const bridge = await bridgeWith(20, 'x'.repeat(30_000));
    await bridge.emitFinal('done');
    const { incoming, writer } = await connect({ waitingBytes: 4 * 1024 * 1024 });
    writer.attach(await bridge.openReader());
    const text = await textOf(incoming, () => false);
    expect(text.match(/^(event: final|: replay|: live)$/gm)).toEqual([': replay', 'event: final', ': live']);
  });

  it('announces a replay even if its first page has no frame and the next is not yet fetched', async () => {
    const bridge = await bridgeWith(0);
    await bridge.emitFinal('first');
    const [{ id: lastEventId } = { id: '' }] = await bridge.history();
    await bridge.reopen();
    await bridge.emitFinal('x'.repeat(300_000));
    const { incoming, writer } = await connect();
    writer.attach(await bridge.openReader({ lastEventId }));
    const text = await textOf(incoming, () => false);
    expect(text.match(/^(event: final|: replay|: live)$/gm)).toEqual([': replay', 'event: final', ': live']);
  });

  it('counts the bytes that the connection already buffers, and announces live events once', async () => {
    const bridge = await bridgeWith(0);
    await bridge.emit('custom', {});
    const { response, incoming, writer } = await connect();
    const { socket } = response;
    const mark = socket?.writableHighWaterMark ?? 0;
    writer.attach(await bridge.openReader());
    socket?.cork();
    await bridge.emit('custom', { text: 'x'.repeat(mark - 2_000) });
    while (response.writableLength < mark - 2_000) await turn();
    expect(response.writableLength).toBeLessThan(mark);
    await bridge.emit('custom', { text: 'x'.repeat(200_000) });
    while (response.writableLength < mark) await turn();
    expect(response.writableLength).toBeLessThanOrEqual(128 * 1024 + 1_024);
    socket?.uncork();
    void bridge.emitFinal('done');
    expect((await textOf(incoming, () => false)).match(/^: \w+$/gm)).toEqual([': replay', ': live']);
  });

  it('leaves no listener, reader or timer when a full connection is destroyed', async () => {
    const bridge = await bridgeWith(500, 'x'.repeat(60_000));
    const { response, request, writer, ends, heartbeats } = await connect();
    const { socket } = response;
    const idle = socket?.listenerCount('drain');
    writer.attach(await bridge.openReader());
    expect(bridge.subscriberCount).toBe(1);
    while (socket?.listenerCount('drain') === idle) await turn();
    const forget = vi.spyOn(heartbeats, 'remove');
    request.destroy();
    await once(response, 'close');
    expect(ends).toEqual([true]);
    expect(socket?.listenerCount('drain')).toBe(idle);
    expect(forget).toHaveBeenCalledOnce();
    expect(bridge.subscriberCount).toBe(0);
    writer.end();
    writer.fail(new Error('late'));
    writer.flush();
    writer.beat(Buffer.from(': x\n\n'));
    expect(ends).toEqual([true]);
  });

  it('cuts off a reader that is ended in the middle of a frame', async () => {
    const bridge = await bridgeWith(500, 'x'.repeat(60_000));
    const { response, incoming, writer } = await connect();
    writer.attach(await bridge.openReader());
    writer.end({ retryMs: 1 });
    expect(response.destroyed).toBe(true);
    await expect(textOf(incoming, () => false)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('cuts off a reader that is ended while its connection is full, even if nothing is left to write', async () => {
    const bridge = await bridgeWith(1, 'x'.repeat(150_000));
    const { response, writer } = await connect({ waitingBytes: 4 * 1024 * 1024 });
    const { socket } = response;
    const idle = socket?.listenerCount('drain') ?? 0;
    writer.attach(await bridge.openReader());
    expect(socket?.listenerCount('drain')).toBe(idle + 1);
    writer.end();
    expect(response.destroyed).toBe(true);
    expect(socket?.listenerCount('drain')).toBe(idle);
  });

  it('cuts off a connection that does not take the end within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => vi.useRealTimers());
    const { response, writer } = await connect();
    response.socket?.cork();
    writer.end();
    vi.advanceTimersByTime(9_999);
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(response.destroyed).toBe(true);
  });

  it('ends once, and leaves no timer when its end is sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => vi.useRealTimers());
    const { response, incoming, writer, ends } = await connect();
    const closed = once(response, 'close');
    writer.end();
    expect(vi.getTimerCount()).toBe(1);
    incoming.resume();
    await closed;
    expect([ends, vi.getTimerCount()]).toEqual([[true], 0]);
  });

  it('closes a reader that is attached after its end', async () => {
    const bridge = await bridgeWith(1);
    const { response, writer } = await connect();
    const { socket } = response;
    writer.end();
    // The connection may serve another request by now.
    const write = socket && vi.spyOn(socket, 'write');
    writer.attach(await bridge.openReader());
    writer.greet();
    writer.beat(Buffer.from(': x\n\n'));
    expect(bridge.subscriberCount).toBe(0);
    expect(write?.mock.calls).toEqual([]);
  });

  it('stays open if its connection was full before it had a reader', async () => {
    const { response, incoming, writer, failures } = await connect();
    writer.greet();
    writer.beat(Buffer.from(`: ${'x'.repeat(8_000_000)}\n\n`));
    expect(response.writableLength).toBeGreaterThan(0);
    const reading = textOf(incoming, () => false);
    while (response.writableLength > 0) await turn();
    await turn();
    const bridge = await bridgeWith(1);
    await bridge.emitFinal('done');
    writer.attach(await bridge.openReader());
    expect(await reading).toContain('event: final');
    expect(failures).toEqual([]);
  });

  it('logs the failure of an event log and ends', async () => {
    const bridge = await bridgeWith(1);
    const { response, writer, failures } = await connect();
    const reader = await bridge.openReader();
    writer.attach(reader);
    const failure = new Error('the log is gone');
    reader.onEnd({ failure });
    await once(response, 'close');
    expect(failures).toEqual([failure]);
  });

  it('logs why the stored events cannot be read, and ends', async () => {
    const bridge = await bridgeWith(1);
    const { response, writer, failures } = await connect();
    const reader = await bridge.openReader();
    const failure = new TypeError('the page of a custom log is malformed');
    vi.spyOn(reader, 'read').mockImplementationOnce(() => {
      throw failure;
    });
    writer.attach(reader);
    await once(response, 'close');
    expect(failures).toEqual([failure]);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('beats an idle connection, but not a full one', async () => {
    const bridge = await bridgeWith(0);
    const { response, incoming, writer } = await connect();
    writer.attach(await bridge.openReader());
    const frame = Buffer.from(': keepalive\n\n');
    writer.beat(frame);
    for (let index = 0; index < 500; index += 1) {
      await bridge.emitAssistantChunk({ assistantId: 'a', text: 'x'.repeat(60_000) });
    }
    while (response.writableLength < 1_000) await turn();
    const waiting = response.writableLength;
    expect(waiting).toBeGreaterThan(0);
    writer.beat(frame);
    expect(response.writableLength).toBe(waiting);
    void bridge.emitFinal('done');
    expect((await textOf(incoming, () => false)).match(/: keepalive/g)).toHaveLength(1);
  });
});
