import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { messageOf, UNREADABLE } from '../src/message-of.js';
import { createUnreadable } from './unreadable-errors.js';

it.each([
  ['an error', new TypeError('no paper'), 'no paper'],
  ['an error of another realm', runInNewContext('new TypeError("no paper")'), 'no paper'],
  ['an error with another kind of message', Object.assign(new RangeError(), { message: 404 }), 'RangeError'],
  ['an error without a name either', Object.assign(new Error(''), { name: 5 }), 'Error'],
  ['another value', 'no paper', 'no paper'],
  ['nothing', undefined, 'undefined'],
])('messageOf returns the text of %s', (_what, error, message) => {
  expect(messageOf(error)).toBe(message);
});

it.each(createUnreadable())('messageOf says that it cannot read %s', (_what, error) => {
  expect(messageOf(error)).toBe(UNREADABLE);
});
