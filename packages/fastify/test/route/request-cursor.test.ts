import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { isWellFormed, requestCursor } from '../../src/route/request-cursor.js';

async function cursorOf(url: string, header?: string): Promise<string | undefined> {
  let cursor: string | undefined;
  const app = Fastify();
  app.get('/', async (request) => {
    cursor = requestCursor(request);
  });
  await app.inject({ url, headers: header === undefined ? {} : { 'last-event-id': header } });
  return cursor;
}

it.each([
  ['/', undefined, undefined],
  ['/', 'e-1', 'e-1'],
  ['/?last_event_id=e-2', undefined, 'e-2'],
  ['/?last_event_id=e-2', 'e-1', 'e-1'],
  ['/?last_event_id=e-2', '  ', 'e-2'],
  ['/?last_event_id=', undefined, undefined],
  ['/?last_event_id=a&last_event_id=b', undefined, 'a'],
  ['/?last_event_id=na%C3%AFve', undefined, 'naïve'],
  ['/', Buffer.from('naïve').toString('latin1'), 'naïve'],
])('a request for %s with the header %s has the cursor %s', async (url, header, expected) => {
  expect(await cursorOf(url, header)).toBe(expected);
});

it.each([null, 'last_event_id=e-2'])(
  'a request has no cursor if the app’s own query parser returns %j',
  async (query) => {
    const app = Fastify({ routerOptions: { querystringParser: () => query as never } });
    app.get('/', async (request) => ({ cursor: requestCursor(request) ?? null }));
    const answer = await app.inject('/?last_event_id=e-2');
    expect(answer.json()).toEqual({ cursor: null });
  },
);

it.each([
  ['e-1', true],
  ['x'.repeat(256), true],
  ['x'.repeat(257), false],
  ['a\nb', false],
  ['a\u0000', false],
  ['a\u007f', false],
])('the id %j is well-formed: %s', (id, expected) => {
  expect(isWellFormed(id)).toBe(expected);
});
