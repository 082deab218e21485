import { expect, it } from 'vitest';
import { listen } from './app.js';

/** What a reader notices of an answer: not when it was given, and not the comments between events. */
async function noticed(response: Response) {
  const { status, headers } = response;
  const text = await response.text();
  const [type] = headers.get('content-type')?.split(';') ?? [];
  const isStream = type === 'text/event-stream';
  return {
    status,
    type,
    caching: headers.get('cache-control'),
    buffering: headers.get('x-accel-buffering'),
    content: isStream ? text.replaceAll(/^:.*\n\n|"timestamp":"[^"]*"/gm, '') : text,
  };
}

it.each([
  ['no cursor', '', {}],
  ['a header', '?last_event_id=e-2', { 'last-event-id': 'e-1' }],
  ['a blank header', '?last_event_id=e-2', { 'last-event-id': ' ' }],
  ['a parameter that came twice', '?last_event_id=e-1&last_event_id=e-2', {}],
  ['an empty parameter', '?last_event_id=', {}],
  ['a header in UTF-8', '', { 'last-event-id': Buffer.from('naïve').toString('latin1') }],
  ['256 characters in UTF-8', '', { 'last-event-id': Buffer.from('é'.repeat(256)).toString('latin1') }],
  ['257 characters', '', { 'last-event-id': 'x'.repeat(257) }],
  ['a control character', '?last_event_id=a%7F', {}],
])('a mounted route and toResponse answer alike: %s', async (_, query, headers) => {
  await using server = await listen();
  const bridge = server.bridge();
  await bridge.emitFinal('done');
  for (const isOver of [false, true]) {
    if (isOver) await bridge.close();
    const route = await fetch(`${server.url()}${query}`, { headers });
    const response = await bridge.toResponse(new Request(`${server.url()}${query}`, { headers }));
    expect(await noticed(response)).toEqual(await noticed(route));
  }
});
