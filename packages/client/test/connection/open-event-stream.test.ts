import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventStreamOptions } from '../../src/connection/event-stream.js';
import { openEventStream } from '../../src/connection/open-event-stream.js';
import { frame, soon, status, stream, streamServer } from '../stream-server.js';

async function readIds(options: EventStreamOptions): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of openEventStream(options)) ids.push(id);
  return ids;
}

describe('openEventStream, over a real connection', () => {
  it('delivers the envelopes in order and ends at session_end', async () => {
    await using server = await streamServer(
      stream(frame('1', 'session_start') + frame('2', 'session_end') + frame('3', 'late')),
    );
    expect(await readIds({ url: server.url })).toEqual(['1', '2']);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream' });
    expect(server.cursors()).toEqual([undefined]);
  });

  it('reconnects with its cursor when the connection is lost, and omits repeats', async () => {
    await using server = await streamServer(
      stream(soon + frame('1', 'a') + frame('2', 'b')),
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`${frame('2', 'b')}${frame('3', 'c')}id: 4\ndata: {"half":`, () => response.destroy());
      },
      status(204),
    );
    expect(await readIds({ url: server.url, lastEventId: '0' })).toEqual(['1', '2', '3']);
    expect(server.cursors()).toEqual(['0', '2', '3']);
  });

  it('does not deliver the event it resumed from', async () => {
    await using server = await streamServer(stream(frame('7', 'a') + frame('8', 'session_end')));
    expect(await readIds({ url: server.url, lastEventId: '7' })).toEqual(['8']);
  });

  it('waits for the next turn when one ends, and ends at 204', async () => {
    await using server = await streamServer(
      stream(soon + frame('1', 'final')),
      stream(frame('2', 'assistant_chunk') + frame('3', 'error')),
      status(204),
    );
    const events = openEventStream({ url: server.url });
    const seen: [string, string][] = [];
    for await (const { type } of events) seen.push([type, events.status]);
    expect(seen).toEqual([
      ['final', 'waiting'],
      ['assistant_chunk', 'waiting'],
      ['error', 'waiting'],
    ]);
    expect(events.status).toBe('closed');
    expect(server.cursors()).toEqual([undefined, '1', '3']);
  });

  it('retries after 503, 500, 429 and a lost connection', async () => {
    await using server = await streamServer(
      stream(soon),
      status(503, { 'retry-after': '0' }),
      status(500),
      status(429),
      (response) => response.destroy(),
      stream(frame('1', 'session_end')),
    );
    expect(await readIds({ url: server.url })).toEqual(['1']);
    expect(server.requests).toHaveLength(6);
  });

  it.each([400, 401, 403, 404, 406, 410])('throws a typed error for %i and does not retry', async (code) => {
    await using server = await streamServer(status(code));
    await expect(readIds({ url: server.url })).rejects.toMatchObject({
      name: 'StreamRefusedError',
      code: 'STREAM_REFUSED',
      statusCode: code,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('refuses a response that is not an event stream, naming its content type', async () => {
    await using server = await streamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    });
    await expect(readIds({ url: server.url })).rejects.toThrow(/200 text\/html/);
  });

  it('gets fresh headers before every request', async () => {
    await using server = await streamServer(stream(soon), status(204));
    let count = 0;
    await readIds({ url: server.url, headers: async () => ({ authorization: `Bearer ${(count += 1)}` }) });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it.each([301, 302, 303, 307, 308])(
    'follows a %i redirect only if there are no headers to send',
    async (code) => {
      await using other = await streamServer(stream(frame('1', 'session_end')));
      await using server = await streamServer(status(code, { location: other.url }));
      const headers = { 'x-api-key': 'canary' };
      await expect(readIds({ url: server.url, headers })).rejects.toMatchObject({ statusCode: code });
      expect(other.requests).toHaveLength(0);
      expect(await readIds({ url: server.url })).toEqual(['1']);
    },
  );

  it('delivers a gap once, whatever its id, and resumes after it', async () => {
    await using server = await streamServer(
      stream(soon + frame('5', 'a')),
      stream(frame('5', 'stream_gap', { reason: 'evicted' }) + frame('9', 'b')),
      status(204),
    );
    expect(await readIds({ url: server.url })).toEqual(['5', '5', '9']);
  });

  it('skips frames without an event, counts them, and moves its cursor past them', async () => {
    await using server = await streamServer(
      stream(`${soon}id: 1\ndata: not json\n\nid: 2\ndata: [1]\n\nid: 3\nevent: x\ndata: {"data": 5}\n\n`),
      status(204),
    );
    const events = openEventStream({ url: server.url });
    for await (const _ of events) throw new Error('nothing was expected');
    expect(events.malformedFrames).toBe(3);
    expect(server.cursors()).toEqual([undefined, '3']);
  });

  it('ends without an error when the signal aborts, while it reads or before it starts', async () => {
    await using server = await streamServer(stream(frame('1', 'a'), { stayOpen: true }));
    const controller = new AbortController();
    const ids: string[] = [];
    for await (const { id } of openEventStream({ url: server.url, signal: controller.signal })) {
      ids.push(id);
      setImmediate(() => controller.abort());
    }
    expect(ids).toEqual(['1']);
    expect(await readIds({ url: server.url, signal: controller.signal })).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('closes the connection when the loop is left', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    await using server = await streamServer((response, request) => {
      closed = new Promise((resolve) => request.socket.once('close', resolve));
      stream(frame('1', 'a'), { stayOpen: true })(response, request);
    });
    const events = openEventStream({ url: server.url });
    for await (const _ of events) break;
    await closed;
    expect(events.status).toBe('closed');
  });

  it('closes at once when its iterator is returned, even during a pending pull', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    await using server = await streamServer((response, request) => {
      closed = new Promise((resolve) => request.socket.once('close', resolve));
      stream(frame('1', 'a'), { stayOpen: true })(response, request);
    });
    const events = openEventStream({ url: server.url })[Symbol.asyncIterator]();
    await events.next();
    const waiting = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    await closed;
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('sends no request when its iterator is returned before the first pull', async () => {
    await using server = await streamServer(stream(frame('1', 'session_end')));
    const events = openEventStream({ url: server.url });
    await events[Symbol.asyncIterator]().return?.();
    expect([events.status, server.requests.length]).toEqual(['closed', 0]);
  });

  it('treats null options as absent', async () => {
    await using other = await streamServer(stream(frame('1', 'session_end')));
    await using server = await streamServer(status(307, { location: other.url }));
    const nothing = { lastEventId: null, headers: null, fetch: null, signal: null };
    const events = openEventStream({ url: server.url, ...nothing });
    expect(events.lastEventId).toBeUndefined();
    for await (const { id } of events) expect(id).toBe('1');
    expect(other.cursors()).toEqual([undefined]);
  });

  it('refuses an invalid URL at once', () => {
    expect(() => openEventStream({ url: '/svc/events/1' })).toThrow(TypeError);
  });

  it('resolves a relative URL as fetch does: against the base of the document, in a worker against its own address', async () => {
    onTestFinished(() => void vi.unstubAllGlobals());
    const requested: string[] = [];
    const request = async (address: string) => {
      requested.push(address);
      return new Response(null, { status: 204 });
    };
    const worker = { href: 'http://127.0.0.1:1/assets/worker.js' };
    // The address of a frame with `srcdoc` is no base at all.
    for (const [location, document] of [[worker], [{ href: 'about:srcdoc' }, 'http://127.0.0.1:1/app/']]) {
      vi.stubGlobal('location', location);
      vi.stubGlobal('document', document && { baseURI: document });
      expect(await readIds({ url: 'events/1', fetch: request })).toEqual([]);
    }
    expect(requested).toEqual(['http://127.0.0.1:1/assets/events/1', 'http://127.0.0.1:1/app/events/1']);
  });

  it.each([
    ['a URL in place of the options', '/svc/events/1'],
    ['options without a URL', {}],
    ['an empty URL', { url: '' }],
    ['null as the URL', { url: null }],
  ])('refuses %s, even in a page with a base URL', (_, options) => {
    vi.stubGlobal('location', { href: 'http://127.0.0.1:1/page' });
    onTestFinished(() => void vi.unstubAllGlobals());
    // @ts-expect-error JavaScript callers may pass these
    expect(() => openEventStream(options)).toThrow(
      new TypeError('url must be a URL without credentials; send headers'),
    );
  });

  it('refuses a user or password in the URL at once, without repeating it', () => {
    for (const url of ['http://canary@127.0.0.1:1/x', 'http://:canary@127.0.0.1:1/x?token=canary'])
      expect(() => openEventStream({ url })).toThrow(/^(?!.*canary).*headers/);
  });
});
