import { expect, it } from 'vitest';
import { acceptedForm } from '../../../src/routes/sessions/accepted-form.js';

it.each([
  [undefined, 'sse'],
  ['', 'sse'],
  ['*/*', 'sse'],
  ['text/*', 'sse'],
  ['text/event-stream', 'sse'],
  ['Text/Event-Stream;charset=utf-8', 'sse'],
  // Sent by browsers, and by clients that accept JSON but do not insist on it.
  ['text/html,application/xml;q=0.9,*/*;q=0.8', 'sse'],
  ['application/json, text/plain, */*', 'sse'],
  ['application/json', 'json'],
  ['application/*;q=0.1', 'json'],
  ['application/json, */*;q=0.5', 'json'],
  ['text/event-stream;q=0.5, application/json', 'json'],
  ['text/event-stream; q=0, */*', 'json'],
  ['application/json;q=0, */*', 'sse'],
  ['text/event-stream;q=0', undefined],
  ['application/json;q=0', undefined],
  ['*/*;q=0', undefined],
  ['text/event-stream;q=none', undefined],
  ['image/png, text/html', undefined],
])('the Accept header %j selects %s', (header, form) => {
  expect(acceptedForm(header)).toBe(form);
});
