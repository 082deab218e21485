import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/connection/connection.js';
import type { EventStreamOptions } from '../../src/connection/event-stream.js';
import { frame } from '../stream-server.js';

const url = 'http://app.test/svc/events/s1';
const encoder = new TextEncoder();

/** A fetch with these answers in order: a string is streamed and ends, an error is thrown. Then the session ends. */
function scriptedFetch(...answers: (string | Response | Error | Promise<Response>)[]) {
  const times: number[] = [];
  const inits: RequestInit[] = [];
  const fetch = async (_: string, init: RequestInit) => {
    times.push(Date.now());
    inits.push(init);
    const answer = answers[times.length - 1];
    if (answer === undefined) return new Response(null, { status: 204 });
    if (answer instanceof Error) throw answer;
    return typeof answer === 'string' ? eventStream(answer) : answer;
  };
  return { fetch, times, inits };
}

function eventStream(body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** A response whose body the test feeds. */
function openBody(first = '') {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      if (first) given.enqueue(encoder.encode(first));
    },
    cancel: () => void (cancelled = true),
  });
  return {
    response: eventStream(body),
    push: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    isCancelled: () => cancelled,
  };
}

function connect(options: Partial<EventStreamOptions>, random = 0.5) {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  return new Connection({ url, ...options });
}

async function drain(connection: Connection): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of connection) ids.push(id);
  return ids;
}

describe('Connection', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('waits with full jitter, twice as long for every failure, and at most half a minute', async () => {
    const failures = Array.from({ length: 8 }, () => new TypeError('fetch failed'));
    const { fetch, times } = scriptedFetch(...failures);
    const done = drain(connect({ fetch }, 0.999_999));
    await vi.runAllTimersAsync();
    await done;
    const waits = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1000));
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('starts again from the shortest wait once an event was read', async () => {
    const lost = new TypeError('fetch failed');
    const { fetch, times } = scriptedFetch(lost, lost, lost, frame('1', 'a'), lost);
    const done = drain(connect({ fetch }, 0.999_999));
    await vi.runAllTimersAsync();
    expect(await done).toEqual(['1']);
    expect(Math.round(((times[4] ?? 0) - (times[3] ?? 0)) / 1000)).toBe(1);
  });

  it('backs off from a server that accepts and ends at once', async () => {
    const { fetch, times } = scriptedFetch('', '', '', '');
    const done = drain(connect({ fetch }, 0.999_999));
    await vi.runAllTimersAsync();
    await done;
    expect((times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(14_000);
  });

  it.each([
    ['honours a Retry-After in seconds', '7', 7_000],
    ['honours a Retry-After date', new Date(9_000).toUTCString(), 9_000],
    ['caps Retry-After at ten minutes', '86400', 600_000],
    ['ignores an invalid Retry-After', 'soon', 0],
  ])('%s', async (_, header, waitMs) => {
    const { fetch, times } = scriptedFetch(
      new Response(null, { status: 503, headers: { 'retry-after': header } }),
    );
    const done = drain(connect({ fetch }, 0));
    await vi.runAllTimersAsync();
    await done;
    expect(times).toEqual([0, waitMs]);
  });

  it('adds its own random wait to a Retry-After, so that readers do not all come back at once', async () => {
    const { fetch, times } = scriptedFetch(
      new Response(null, { status: 503, headers: { 'retry-after': '7' } }),
    );
    const done = drain(connect({ fetch }, 0.5));
    await vi.runAllTimersAsync();
    await done;
    expect(times).toEqual([0, 7_500]);
  });

  it('honours the retry field of the stream', async () => {
    const { fetch, times } = scriptedFetch(`retry: 20000\n\n${frame('1', 'a')}`);
    const done = drain(connect({ fetch }, 0.5));
    await vi.runAllTimersAsync();
    await done;
    expect(times).toEqual([0, 10_000]);
  });

  it('reconnects for the next turn within a tenth of a second', async () => {
    const { fetch, times } = scriptedFetch(frame('1', 'final'));
    const done = drain(connect({ fetch }, 0.999_999));
    await vi.runAllTimersAsync();
    await done;
    expect(times[1]).toBeLessThanOrEqual(100);
  });

  it('gives up a silent connection after two and a half heartbeat intervals, and resumes', async () => {
    const body = openBody();
    const { fetch, times, inits } = scriptedFetch(body.response);
    const connection = connect({ fetch }, 0);
    const done = drain(connection);
    body.push(frame('1', 'a'));
    for (let beat = 0; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(4_000);
      body.push(': keepalive\n\n');
    }
    await vi.advanceTimersByTimeAsync(9_999);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(times).toHaveLength(2);
    expect(new Headers(inits[1]?.headers).get('last-event-id')).toBe('1');
    expect(body.isCancelled()).toBe(true);
    await done;
  });

  it('does not count the time between two connections as a heartbeat interval', async () => {
    const before = openBody();
    const after = openBody();
    const away = new Response(null, { status: 503, headers: { 'retry-after': '60' } });
    const { fetch, times } = scriptedFetch(before.response, away, after.response);
    const done = drain(connect({ fetch }, 0));
    for (let beat = 0; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(4_000);
      before.push(': keepalive\n\n');
    }
    before.end();
    await vi.advanceTimersByTimeAsync(61_000);
    after.push(': keepalive\n\n');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(times).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2);
    expect(times).toHaveLength(4);
    await done;
  });

  it('waits longer for heartbeats after a silent connection: those before may have been delayed and come at once', async () => {
    const burst = openBody(frame('1', 'a') + ': keepalive\n\n'.repeat(20));
    const steady = openBody(': live\n\n');
    const { fetch, times } = scriptedFetch(burst.response, steady.response);
    const done = drain(connect({ fetch }, 0));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(times).toHaveLength(2);
    for (let beat = 0; beat < 4; beat += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      steady.push(': keepalive\n\n');
    }
    expect(times).toHaveLength(2);
    steady.end();
    await vi.runAllTimersAsync();
    await done;
  });

  it('gives up on a fetch and on a body that ignore the abort signal', async () => {
    const { fetch, times } = scriptedFetch(new Promise<Response>(() => undefined), openBody().response);
    const done = drain(connect({ fetch }, 0));
    await vi.advanceTimersByTimeAsync(14_999);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(times).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(101);
    expect(times).toHaveLength(3);
    await done;
  });

  it.each<[string, () => Partial<EventStreamOptions>]>([
    ['a request', () => scriptedFetch(new Promise<Response>(() => undefined))],
    ['headers', () => ({ headers: () => new Promise<HeadersInit>(() => undefined) })],
    ['the first bytes', () => scriptedFetch(openBody().response)],
    ['the body', () => scriptedFetch(openBody(': live\n\n').response)],
    ['the back-off', () => scriptedFetch(new TypeError('fetch failed'))],
  ])('ends at once when closed while waiting for %s, and leaves no timer', async (_, options) => {
    const connection = connect(options());
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(10);
    connection.close();
    connection.close();
    expect(await done).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes its listener from the signal', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const add = vi.spyOn(signal, 'addEventListener');
    await drain(connect({ signal, ...scriptedFetch() }));
    expect(add.mock.calls[0]?.[1]).toBe(remove.mock.calls[0]?.[1]);
  });

  it('reports its status: connecting, replaying between the two comments, open, waiting, closed', async () => {
    const body = openBody();
    const { fetch } = scriptedFetch(body.response, new TypeError('fetch failed'));
    const connection = connect({ fetch }, 0);
    const seen: string[] = [connection.status];
    connection.onStatusChange(() => void seen.push(connection.status));
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    for (const text of [
      ': replay\n\n',
      frame('1', 'a'),
      ': live\n\n',
      frame('2', 'final'),
      frame('3', 'a'),
    ]) {
      body.push(text);
      await vi.advanceTimersByTimeAsync(1);
    }
    body.end();
    await vi.runAllTimersAsync();
    await done;
    expect(seen).toEqual(['connecting', 'replaying', 'open', 'waiting', 'open', 'connecting', 'closed']);
  });

  it('keeps waiting while it reconnects between turns', async () => {
    const body = openBody(frame('1', 'final'));
    const connection = connect({ fetch: scriptedFetch(body.response).fetch }, 0);
    const seen: string[] = [];
    connection.onStatusChange(() => void seen.push(connection.status));
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    body.push(': keepalive\n\n');
    await vi.advanceTimersByTimeAsync(1);
    body.end();
    await vi.runAllTimersAsync();
    await done;
    expect(seen).toEqual(['waiting', 'closed']);
  });

  it('replays one turn after the other without a pause, as one replay', async () => {
    const replayOf = (id: string) => `: replay\n\n${frame(id, 'final')}`;
    const { fetch, times } = scriptedFetch(replayOf('1'), replayOf('2'), openBody(': live\n\n').response);
    const connection = connect({ fetch });
    const seen: string[] = [];
    connection.onStatusChange(() => seen.push(connection.status));
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    expect([times, seen]).toEqual([
      [0, 0, 0],
      ['replaying', 'waiting'],
    ]);
    connection.close();
    expect(await done).toEqual(['1', '2']);
  });

  it('is not open before its first bytes or a tenth of a second of silence', async () => {
    const bodies = [openBody(), openBody()];
    const { fetch } = scriptedFetch(...bodies.map(({ response }) => response));
    const connection = connect({ fetch }, 0);
    const seen: string[] = [];
    connection.onStatusChange(() => seen.push(connection.status));
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(99);
    expect(seen).toEqual([]);
    bodies[0]?.push(': replay\n\n');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['replaying']);
    bodies[0]?.end();
    await vi.advanceTimersByTimeAsync(99);
    expect(seen).toEqual(['replaying', 'connecting']);
    await vi.advanceTimersByTimeAsync(10);
    expect(seen).toEqual(['replaying', 'connecting', 'open']);
    connection.close();
    await done;
  });

  it('reports the latest connection error until it is connected', async () => {
    const body = openBody();
    const busy = new Response(null, { status: 503 });
    const { fetch } = scriptedFetch(new TypeError('fetch failed'), busy, body.response);
    const connection = connect({ fetch }, 0.5);
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.lastError).toMatchObject({ message: 'fetch failed' });
    await vi.advanceTimersByTimeAsync(500);
    expect(connection.lastError).toMatchObject({ code: 'STREAM_REFUSED', statusCode: 503 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(connection.lastError).toBeUndefined();
    connection.close();
    await done;
  });

  it.each([
    ['closed', (connection: Connection) => connection.close()],
    ['disposed', (connection: Connection) => connection[Symbol.asyncDispose]()],
  ])('aborts its request when %s while no pull is pending', async (_, end) => {
    const { fetch, inits } = scriptedFetch(openBody(frame('1', 'a')).response);
    const connection = connect({ fetch });
    await connection[Symbol.asyncIterator]().next();
    await end(connection);
    expect(inits[0]?.signal?.aborted).toBe(true);
  });

  it('aborts the request after a response that asks to retry later', async () => {
    const { fetch, inits } = scriptedFetch(new Response(openBody('full').response.body, { status: 503 }));
    const connection = connect({ fetch });
    const done = drain(connection);
    await vi.advanceTimersByTimeAsync(1);
    expect(inits[0]?.signal?.aborted).toBe(true);
    connection.close();
    await done;
  });

  it('keeps its cursor when it delivers an event without an id', async () => {
    const { fetch } = scriptedFetch(openBody(`${frame('1', 'a')}${frame('', 'b')}`).response);
    const connection = connect({ fetch });
    const cursors: (string | undefined)[] = [];
    for await (const { type } of connection) {
      cursors.push(connection.lastEventId);
      if (type === 'b') break;
    }
    expect(cursors).toEqual(['1', '1']);
  });

  it('does not count a connection with a heartbeat as failed', async () => {
    const { fetch, times } = scriptedFetch(': hb\n\n', ': hb\n\n', ': hb\n\n', ': hb\n\n');
    const done = drain(connect({ fetch }, 0.5));
    await vi.advanceTimersByTimeAsync(10_000);
    await done;
    expect(times).toEqual([0, 500, 1_000, 1_500, 2_000]);
  });
});
