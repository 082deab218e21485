import { expect, it } from 'vitest';
import { isEventStream } from '../src/is-event-stream.js';

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-stream ;charset=utf-8', true],
  ['text/event-stream-x', false],
  ['text/event-streams', false],
  ['application/json', false],
  ['', false],
])('isEventStream judges %j', (contentType, expected) => {
  expect(isEventStream(contentType)).toBe(expected);
});
