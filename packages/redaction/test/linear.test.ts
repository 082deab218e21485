import { describe, expect, it } from 'vitest';
import {
  createHeldBackText,
  createTextRedactor,
  createValueMatcher,
  detectPersonalData,
  PIIWhitelist,
  redactTexts,
  withoutHeldText,
} from '../src/index.js';
import { PlaceholderNames } from '../src/placeholder-names.js';

/**
 * Returns how many times as long the work takes for a text 8 times as long: about 8 if it is linear, 64 if it is
 * quadratic. The limit leaves room for noise.
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
const LIMIT = 40;

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
  'address: a @b ',
  'Dr. Prof. ',
  'Dr. van der ',
  'Dr. A. ',
  'VIN ',
  '12 Aa Bb Cc Dd ',
  'GB82',
  'GB82 ',
  '4111 ',
  '4111.',
  '00 4',
  '+49 30 1234567 2024-01-31 ',
  '2024/1/',
  '０',
  '０－',
  '٠',
  '\u{1d7ce}',
  '\u{1d7ce}字-',
  '1\u200b',
  '1–',
  '0字',
  '字0@a.',
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

describe('detection and matching take linear time', () => {
  it.each(hostile)('on repeated %j', (part) => {
    expect(growth(detectPersonalData, repeated(part), 8_000)).toBeLessThan(LIMIT);
    expect(growth((text) => matcher.find(text), repeated(part), 16_000)).toBeLessThan(LIMIT);
  });
});

it('a held-back text in chunks of one letter takes linear time', () => {
  const push = (text: string) => {
    const held = createHeldBackText(matcher);
    for (const letter of text) held.push(letter);
    held.flush();
  };
  for (const part of ['sk-live-12', '\\', '%25', 'a']) {
    expect(growth(push, repeated(part), 4_000)).toBeLessThan(LIMIT);
  }
});

it.each([
  ['escaped in JSON', '"', (value: string) => JSON.stringify(value).slice(1, -1)],
  ['encoded in a URL', 'ä%', encodeURIComponent],
])('a held-back value of special characters, %s, takes linear time', (_, part, write) => {
  const matchers = new Map<string, ReturnType<typeof createValueMatcher>>();
  const push = (value: string) => {
    const known = matchers.get(value) ?? createValueMatcher([{ name: 'value', value }]);
    matchers.set(value, known);
    const held = createHeldBackText(known);
    const chunks = write(value).match(/.{1,4}/g) ?? [];
    expect(chunks.map((chunk) => held.push(chunk)).join('') + held.flush()).toBe('{_{value}_}');
  };
  expect(growth(push, repeated(part), 1_000)).toBeLessThan(LIMIT);
});

const lines = (length: number) =>
  Array.from({ length: length / 10 }, (_, i) => String(Math.imul(i, 0x9e_37_79_b1) >>> 0)).join('\n');

it.each([
  ['JSON', (value: string) => JSON.stringify(value)],
  ['a URL', encodeURIComponent],
  ['wrapped base64', (value: string) => btoa(value).replaceAll(/.{76}/g, '$&\n')],
])('finding a long value in %s takes linear time', (_, write) => {
  const find = (value: string) => {
    const longMatcher = matcherOf(value);
    expect(longMatcher.find(write(value))).toHaveLength(1);
  };
  const matchers = new Map<string, ReturnType<typeof createValueMatcher>>();
  const matcherOf = (value: string) => {
    const known = matchers.get(value) ?? createValueMatcher([{ name: 'value', value }]);
    matchers.set(value, known);
    return known;
  };
  // The value grows too, and with it the time to look up a letter.
  expect(growth(find, lines, 3_000)).toBeLessThan(LIMIT * 3);
});

it('searching a long word before a line break takes linear time', () => {
  const values = ['---------BEGIN', `---------${lines(100_000)}`];
  const longMatcher = createValueMatcher(values.map((value) => ({ name: 'key', value })));
  const dashes = (length: number) => `${'LS0t'.repeat(length / 4)}\n`;
  expect(growth((text) => longMatcher.find(text), dashes, 8_000)).toBeLessThan(LIMIT);
});

it('finds a value of one megabyte whole, in every form', () => {
  const value = `${lines(1_000_000)} é`;
  const matcherOfIt = createValueMatcher([{ name: 'long', value }]);
  const escaped = JSON.stringify(value).slice(1, -1);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const wrapped = base64(value).replaceAll(/.{76}/g, '$&\n');
  for (const text of [value, escaped, encodeURIComponent(value), wrapped, base64(escaped)]) {
    expect(matcherOfIt.replace(`<${text}>`)).toMatch(/^<\{_\{long\}_\}=*>$/);
  }
  expect(matcherOfIt.has(value.slice(0, -1))).toBe(false);
});

it.each([
  ['verbatim', (value: string) => value],
  ['in JSON', (value: string) => JSON.stringify(value)],
  ['in wrapped base64', (value: string) => btoa(value).replaceAll(/.{76}/g, '$&\n')],
])('reads a long value that arrives %s in small chunks only once', (_, write) => {
  const value = lines(60_000);
  const longMatcher = createValueMatcher([{ name: 'long', value }]);
  const text = write(value);
  const chunks = text.match(/.{1,16}/gs) ?? [];
  let shown = '';
  const inChunks = () => {
    const held = createHeldBackText(longMatcher);
    shown = chunks.map((chunk) => held.push(chunk)).join('') + held.flush();
  };
  const atOnce = () => void longMatcher.find(text);
  expect(shortestTime(inChunks)).toBeLessThan(Math.max(shortestTime(atOnce), 1_000) * 60);
  expect(shown).toBe(longMatcher.replace(text));
});

it('bounds the work for a repetitive value in a repetitive text', () => {
  const longMatcher = createValueMatcher([{ name: 'long', value: `${'a'.repeat(8_000)}b` }]);
  expect(growth((text) => longMatcher.find(text), repeated('a'), 16_000)).toBeLessThan(LIMIT);
  const encoded = () => void longMatcher.find('%61'.repeat(16_000));
  const plain = () => void longMatcher.find('a'.repeat(48_000));
  expect(shortestTime(encoded)).toBeLessThan(shortestTime(plain) * 4);
});

it('bounds the search for the rest of a value after dropped text', () => {
  const longMatcher = createValueMatcher([{ name: 'long', value: 'a'.repeat(8_000) }]);
  const lost = withoutHeldText({ held: 'a'.repeat(4_000), settled: 0, isKept: false }, longMatcher);
  const continueWith = (text: string) => createHeldBackText(longMatcher, lost).push(text);
  expect(growth(continueWith, repeated('a'), 480)).toBeLessThan(4);
});

it('numbering keys that become equal takes linear time', () => {
  const tokenMatcher = createValueMatcher([{ name: 'token', value: 'abcdefghijklm' }]);
  const written = (bits: number) =>
    'abcdefghijklm'.replaceAll(/./g, (letter, i: number) =>
      (bits >> i) & 1 ? letter.toUpperCase() : letter,
    );
  const objects = new Map(
    [1_000, 8_000].map((count) => [
      'x'.repeat(count),
      Object.fromEntries(Array.from({ length: count }, (_, bits) => [written(bits), 1])),
    ]),
  );
  expect(Object.keys(Object(tokenMatcher.scrub(objects.get('x'.repeat(1_000))))).slice(0, 2)).toEqual([
    '{_{token}_}',
    '{_{token}_}_2',
  ]);
  expect(growth((text) => tokenMatcher.scrub(objects.get(text)), repeated('x'), 1_000)).toBeLessThan(LIMIT);
});

it('detecting a web address that ends in brackets takes linear time', () => {
  const addresses = (length: number) => `https://a${')'.repeat(length)} `.repeat(100);
  expect(growth(detectPersonalData, addresses, 250)).toBeLessThan(LIMIT);
});

it('redacting a known value takes as long with a name as without', () => {
  const text = 'abcd '.repeat(5_000);
  const redact = (name?: string) => () =>
    void redactTexts([text], { knownValues: [{ value: 'abcd', name }] });
  expect(shortestTime(redact())).toBeLessThan(shortestTime(redact('code')) * 4);
});

it('redacting data among placeholders takes linear time', () => {
  const redact = (text: string) => void redactTexts([text]);
  expect(growth(redact, repeated('{_a_} ab@cd.ef '), 24_000)).toBeLessThan(LIMIT);
});

it.each([
  ['one after the other', (texts: string[]) => texts.map((text) => [text])],
  ['all at once', (texts: string[]) => [texts]],
])('redacting texts that each add a value, %s, does not take quadratic time', (_, calls) => {
  const redact = (text: string) => {
    const redactor = createTextRedactor();
    for (const texts of calls(text.split(' '))) redactor.redact(texts);
  };
  const addresses = (count: number) =>
    Array.from({ length: count }, (_each, i) => `a${i}@b.example`).join(' ');
  expect(growth(redact, addresses, 100)).toBeLessThan(LIMIT);
});

it('naming many values with the same requested name takes linear time', () => {
  const nameValues = (text: string) => {
    const names = new PlaceholderNames();
    for (let i = 0; i < text.length; i += 1) names.assign('code', String(i));
  };
  expect(growth(nameValues, repeated('x'), 1_000)).toBeLessThan(LIMIT);
});

it('does not search again for the rest of a long value with every small chunk', () => {
  const value = lines(20_000);
  const longMatcher = createValueMatcher([{ name: 'long', value }]);
  const lost = withoutHeldText({ held: value.slice(0, 500), settled: 0, isKept: false }, longMatcher);
  const rest = value.slice(500);
  const show = (chunks: readonly string[]) => {
    const held = createHeldBackText(longMatcher, lost);
    return chunks.map((chunk) => held.push(chunk)).join('') + held.flush();
  };
  let shown = '';
  const inChunks = () => (shown = show([...(rest.match(/.{1,16}/gs) ?? []), ' and on']));
  expect(shortestTime(inChunks)).toBeLessThan(shortestTime(() => show([rest])) * 400);
  expect(shown).toBe('{_{long}_} and on');
});

it('an accepted whitelist pattern is fast on any text', () => {
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
