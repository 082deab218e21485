import { expect, it } from 'vitest';
import { acceptsEventStream } from '../../src/route/accepts-event-stream.js';

it.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['text/event-stream', true],
  ['TEXT/Event-Stream', true],
  ['text/*;q=0.5', true],
  ['text/html, application/xhtml+xml, */*;q=0.8', true],
  ['application/json, text/event-stream', true],
  ['application/json', false],
  ['text/html', false],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=high', true],
  ['text/event-stream; Q = 0.0, */*', false],
  ['text/event-stream;q=0.1, */*;q=0', true],
  ['*/*;q=0', false],
  ['text/event-stream;charset=utf-8', true],
  [',,;', false],
])('Accept: %s allows an event stream: %s', (header, expected) => {
  expect(acceptsEventStream(header)).toBe(expected);
});
