import { expect, it } from 'vitest';
import { argsDigest } from '../../../src/sessions/calls/args-digest.js';

const digest = argsDigest('t-pay', { amount: 5, to: { name: 'Ada', tags: ['a', 'b'] } });

it('does not depend on the order of keys', () => {
  expect(argsDigest('t-pay', { to: { tags: ['a', 'b'], name: 'Ada' }, amount: 5 })).toBe(digest);
});

it.each([
  ['another tool', 't-refund', { amount: 5, to: { name: 'Ada', tags: ['a', 'b'] } }],
  ['another value', 't-pay', { amount: 50, to: { name: 'Ada', tags: ['a', 'b'] } }],
  ['a value of another type', 't-pay', { amount: '5', to: { name: 'Ada', tags: ['a', 'b'] } }],
  ['a list in another order', 't-pay', { amount: 5, to: { name: 'Ada', tags: ['b', 'a'] } }],
  ['a value under another key', 't-pay', { amount: 5, for: { name: 'Ada', tags: ['a', 'b'] } }],
])('differs for %s', (_, tool, args) => {
  expect(argsDigest(tool, args)).not.toBe(digest);
});
