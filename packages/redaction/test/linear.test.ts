import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, detectPersonalData, PIIWhitelist } from '../src/index.js';

/**
 * How many times as long a text takes that is 8 times as long. Work that grows with the square takes 64 times as long,
 * and what grows with the text 8 times; the limit leaves room for noise.
 */
function growth(work: (text: string) => void, make: (length: number) => string, length: number): number {
  const [short, long] = [make(length), make(length * 8)];
  work(short);
  return (
    shortestTime(() => work(long)) /
    Math.max(
      shortestTime(() => work(short)),
      500,
    )
  );
}
const LIMIT = 24;

function shortestTime(work: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return user + system;
    }),
  );
}

const repeated = (part: string) => (length: number) => part.repeat(Math.ceil(length / part.length));

const hostile = [
  'a',
  '1',
  '0',
  '@',
  '.',
  '-',
  ' ',
  '(',
  ':',
  '/',
  '\\',
  '%',
  '\n',
  'A\n',
  '%5C',
  '%25',
  '\\u',
  '{_',
  '{_{',
  'a@',
  'a.',
  'a@a.',
  '1-',
  '1 ',
  '1.',
  '0 0',
  '+1',
  ':a',
  'https://',
  'www.',
  'Dr. Aa ',
  'Dr. ',
  'A',
  'Aa ',
  'name: ',
  'account ',
  'account  number',
  'address: a',
  'VIN ',
  '12 Aa Bb Cc Dd ',
  'GB82',
  'GB82 ',
  '4111 ',
  '00:',
  'May ',
  '2024-01-0',
  'é',
  'sk-live-12',
  'sk-live-123sk-live-12',
  '\\"',
  'c2stbGl2ZS0xM',
  'bGl2Z\n',
];

const matcher = createValueMatcher([
  { name: 'token', value: 'sk-live-123' },
  { name: 'path', value: '\\\\server\\n"a"\\share' },
  { name: 'percent', value: '100%25%41 of a' },
  { name: 'long', value: 'a'.repeat(40) + 'b' },
]);

describe('the work grows with the text alone, over a text of', () => {
  it.each(hostile)('%j', (part) => {
    expect(growth(detectPersonalData, repeated(part), 8_000)).toBeLessThan(LIMIT);
    expect(growth((text) => matcher.find(text), repeated(part), 16_000)).toBeLessThan(LIMIT);
  });
});

it('a text in chunks of one letter takes work that grows with the text alone', () => {
  const push = (text: string) => {
    const held = createHeldBackText(matcher);
    for (const letter of text) held.push(letter);
    held.flush();
  };
  for (const part of ['sk-live-12', '\\', '%25', 'a']) {
    expect(growth(push, repeated(part), 4_000)).toBeLessThan(LIMIT);
  }
});

it('a whitelist pattern that is accepted is done soon, whatever it is tried on', () => {
  const worst = new PIIWhitelist({
    entries: [{ pattern: '[a-y]*[a-y]*[a-y]*z', justification: 'as costly as it may be' }],
  });
  const [used, limit] = [
    shortestTime(() => worst.find('email', 'a'.repeat(256))),
    shortestTime(() => {
      for (let i = 0, sum = 0; i < 2 ** 24; i += 1) sum += i % 7;
    }),
  ];
  expect(used).toBeLessThan(limit * 10);
  expect(worst.find('email', `${'a'.repeat(100_000)}z`)).toBeUndefined();
});
