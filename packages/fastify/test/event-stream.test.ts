import { describe, expect, it, vi } from 'vitest';
import { chunk, eventsIn, isLive, listen, open, turn } from './app.js';

describe('the event stream', () => {
  it('sends its headers and a first byte at once, and forbids proxies to change or store it', async () => {
    await using server = await listen();
    server.bridge();
    const { status, headers, until, close } = await open(server.url(), { 'accept-encoding': 'gzip, br' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(await until(isLive)).toBe(': live\n\n');
    close();
  });

  it('replays stored events between two comments, continues live, and ends with the turn', async () => {
    await using server = await listen();
    const failed = vi.spyOn(server.app.log, 'error');
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const { until, text, ended } = await open(server.url());
    await until(isLive);
    await bridge.emitAssistantChunk(chunk('two'));
    await bridge.emitFinal('done');
    await ended;
    expect(text()).toMatch(/^: replay\n\nid: .*"one".*: live\n\n.*"two".*event: final\n.*\n\n$/s);
    expect(eventsIn(text()).map(([, event]) => event)).toEqual([
      'assistant_chunk',
      'assistant_chunk',
      'final',
    ]);
    expect(failed).not.toHaveBeenCalled();
  });

  it('delivers every event once to each reader, whenever it connects and whatever its cursor', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const readers = [await open(server.url())];
    for (let index = 0; index < 30; index += 1) {
      await bridge.emitAssistantChunk(chunk(`${index}`));
      if (index % 7 === 0) readers.push(await open(server.url()));
    }
    const [[fifth = ''] = []] = eventsIn(await (await open(server.url())).until(isLive)).slice(4);
    const header = await open(server.url(), { 'last-event-id': fifth });
    const query = await open(`${server.url()}?last_event_id=${fifth}`);
    await bridge.emitFinal('done');
    await Promise.all([...readers, header, query].map(({ ended }) => ended));
    const seqs = (text: string) => eventsIn(text).map(([id]) => Number(id.split('-').at(-1)));
    for (const { text } of readers)
      expect(seqs(text())).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    for (const { text } of [header, query])
      expect(seqs(text())).toEqual(Array.from({ length: 26 }, (_, index) => index + 6));
  });

  it('loses nothing for a reader that keeps up with a producer that never rests', async () => {
    await using server = await listen();
    const bridge = server.bridge('s1', { maxHistory: 500 });
    const { until, text, ended } = await open(server.url());
    await until(isLive);
    for (let index = 0; index < 3_000; index += 1) await bridge.emitAssistantChunk(chunk(`${index}`));
    await bridge.emitFinal('done');
    await ended;
    const events = eventsIn(text()).map(([, event]) => event);
    expect(events).toHaveLength(3_001);
    expect(events).not.toContain('stream_gap');
  });

  it('writes the events of one turn of the event loop in one segment', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const { request, until, close } = await open(server.url());
    await until(isLive);
    let segments = 0;
    request.socket?.on('data', () => (segments += 1));
    await Promise.all(Array.from({ length: 16 }, (_, index) => bridge.emitAssistantChunk(chunk(`${index}`))));
    await until((text) => eventsIn(text).length === 16);
    expect(segments).toBe(1);
    close();
  });

  it('reports a gap for an unknown cursor, then replays all stored events', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const { until, close } = await open(server.url(), { 'last-event-id': 'of another time' });
    const text = await until(isLive);
    expect(eventsIn(text).map(([, event]) => event)).toEqual(['stream_gap', 'assistant_chunk']);
    expect(text).toContain('"reason":"unknown"');
    close();
  });

  it('sends heartbeats', async () => {
    await using server = await listen({ heartbeatIntervalMs: 5 });
    server.bridge();
    const { until, close } = await open(server.url());
    await until((text) => text.split(': keepalive\n\n').length > 3);
    close();
  });

  it('closes its reader when the client disconnects', async () => {
    await using server = await listen();
    const bridge = server.bridge();
    const { until, close } = await open(server.url());
    await until(isLive);
    expect(bridge.subscriberCount).toBe(1);
    close();
    while (bridge.subscriberCount > 0) await turn();
  });

  it('ends a connection at its maximum age, and its reader resumes where it was', async () => {
    const authorize = vi.fn(() => true);
    await using server = await listen({ maxConnectionAgeMs: 20, authorize });
    const bridge = server.bridge();
    await bridge.emitAssistantChunk(chunk('one'));
    const first = await open(server.url());
    await first.ended;
    const [[id = ''] = []] = eventsIn(first.text());
    const second = await open(server.url(), { 'last-event-id': id });
    await bridge.emitAssistantChunk(chunk('two'));
    await second.ended;
    expect(eventsIn(second.text())).toHaveLength(1);
    expect(second.text()).toContain('"two"');
    expect(authorize).toHaveBeenCalledTimes(2);
  });
});
