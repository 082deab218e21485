import { describe, expect, it } from 'vitest';
import { requestStream, streamOf } from '../../src/connection/request-stream.js';

const url = 'http://app.test/svc/events/s1?a=1';
const { signal } = new AbortController();

async function request(cursor: string | undefined, headers?: HeadersInit, to = url) {
  let sent: { url: string; init: RequestInit } | undefined;
  const fetch = async (address: string, init: RequestInit) => {
    sent = { url: address, init };
    return new Response(null, { status: 204 });
  };
  await requestStream({ url: to, headers, fetch }, cursor, signal);
  return { url: sent?.url, init: sent?.init, headers: new Headers(sent?.init.headers) };
}

describe('requestStream', () => {
  it('sends the cursor as a header, and in the URL in case a proxy removes the header', async () => {
    const { headers, url: address, init } = await request('e1-7', { authorization: 'Bearer x' });
    expect(address).toBe(`${url}&last_event_id=e1-7`);
    expect(Object.fromEntries(headers)).toEqual({
      accept: 'text/event-stream',
      authorization: 'Bearer x',
      'last-event-id': 'e1-7',
    });
    expect(init).toMatchObject({ cache: 'no-store', signal });
  });

  it.each([undefined, ''])('sends no cursor for %j', async (cursor) => {
    const sent = await request(cursor);
    expect([sent.url, sent.headers.has('last-event-id')]).toEqual([url, false]);
  });

  it('replaces a cursor that is already in the URL', async () => {
    expect((await request('e1-7', {}, 'http://app.test/?last_event_id=e1-2')).url).toBe(
      'http://app.test/?last_event_id=e1-7',
    );
  });

  it.each(['naïve', '日本', 'with space', 'a\tb'])(
    'sends %j only in the URL, because a header cannot contain it',
    async (cursor) => {
      const sent = await request(cursor);
      expect(sent.headers.has('last-event-id')).toBe(false);
      const { searchParams } = new URL(sent.url ?? '');
      expect([...searchParams]).toEqual([
        ['a', '1'],
        ['last_event_id', cursor],
      ]);
    },
  );
});

describe('headers that cannot be sent', () => {
  it.each<[string, HeadersInit]>([
    ['a value', { authorization: 'Bearer secret\nx' }],
    ['a name', [['bearer secret', 'x']]],
    ['a list', [['authorization', 'secret', 'x']] as unknown as HeadersInit],
  ])('are refused without repeating %s, which may be a token', async (_, headers) => {
    await expect(request(undefined, headers)).rejects.toStrictEqual(new TypeError('Invalid headers'));
  });

  it('are not confused with a function that fails', async () => {
    const failure = new Error('signed out');
    const headers = () => Promise.reject(failure);
    await expect(requestStream({ url, headers }, undefined, signal)).rejects.toBe(failure);
  });
});

describe('streamOf', () => {
  const answer = (status: number, contentType?: string) =>
    new Response(status === 200 ? 'x' : null, {
      status,
      headers: contentType ? { 'content-type': contentType } : {},
    });

  it.each([
    'text/event-stream',
    'text/event-stream; charset=utf-8',
    'text/event-stream;charset=UTF-8',
    'text/event-stream ; charset=utf-8',
    'Text/Event-Stream',
  ])('reads %s', (contentType) => {
    const response = answer(200, contentType);
    expect(streamOf(response)).toBe(response.body);
  });

  it.each([408, 429, 500, 502, 503, 504])('returns null to retry after %i', (status) => {
    expect(streamOf(answer(status))).toBeNull();
  });

  it.each([201, 205, 301, 400, 401, 403, 404, 406, 409, 410])('refuses %i for good', (status) => {
    expect(() => streamOf(answer(status))).toThrow(`${status}`);
    expect(() => streamOf(answer(status, 'text/event-stream'))).toThrow(`${status}`);
  });

  it.each([undefined, 'text/html', 'application/json', 'text/event-streams', 'text/event-stream-x'])(
    'refuses a 200 with the content type %s for good',
    (contentType) => {
      expect(() => streamOf(answer(200, contentType))).toThrow(contentType ?? 'text/plain');
    },
  );
});
