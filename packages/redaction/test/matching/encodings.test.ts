import { describe, expect, it } from 'vitest';
import { matcherOf } from '../forms.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a value in base64', () => {
  it.each([0, 1, 2, 3])('is found inside encoded JSON, after %i other characters', (count) => {
    const value = 'sk-"live"-1234';
    const text = base64(JSON.stringify({ of: `${'x'.repeat(count)} ${value} on` }));
    const shown = matcherOf(value).replace(text);
    expect(shown).toContain('{_{v0}_}');
    expect(shown.length).toBeLessThan(text.length);
  });

  it.each(['\n', '\\n', '%0A'])('is found after a line break, which stays: %j', (lineBreak) => {
    expect(matcherOf('a private value').replace(`a:${lineBreak}${base64('a private value')}`)).toBe(
      `a:${lineBreak}{_{v0}_}`,
    );
  });

  it.each(['base64', 'base64url'] as const)(
    'is found with a line break anywhere inside it, in %s',
    (alphabet) => {
      const all = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).join('');
      const values = Array.from({ length: 82 }, (_, i) => all.slice(i, i + 12)).concat(
        '???>~?>~?>??',
        '~~~~~>>>>>',
      );
      for (const value of values) {
        const matcher = matcherOf(value);
        const written = Buffer.from(value).toString(alphabet).replace(/=+$/, '');
        for (let at = 1; at < written.length; at += 1) {
          const wrapped = `${written.slice(0, at)}\n${written.slice(at)}`;
          expect(matcher.replace(`a ${wrapped}=`)).toBe('a {_{v0}_}=');
        }
      }
    },
  );

  it.each(['\n', '\r\n'])('is found with a line break after every letter: %j', (lineBreak) => {
    const written = base64('a private value').replaceAll(/.(?=.)/g, `$&${lineBreak}`);
    expect(matcherOf('a private value').replace(`(${written})`)).toBe('({_{v0}_})');
  });

  it('is found with at most two line break characters between letters, not with three or a space', () => {
    const [, before = '', after = ''] = /^(.{9})(.*)$/.exec(base64('a private value')) ?? [];
    const matcher = matcherOf('a private value');
    for (const lineBreak of ['\n', '\r\n', '\\r\\n', '\n\n'])
      expect(matcher.has(before + lineBreak + after)).toBe(true);
    for (const gap of ['\n\n\n', '\\n\\n\\n', '%0A%0A%0A', ' '])
      expect(matcher.has(before + gap + after)).toBe(false);
  });
});

it.each([8, 9, 10])('replaces every base64 letter of %i bytes that are not UTF-8', (length) => {
  const bytes = Buffer.alloc(length, 0xfb);
  for (const written of [bytes.toString('base64'), bytes.toString('base64url')])
    expect(matcherOf(bytes).replace(`<${written.replace(/=+$/, '')}>`)).toBe('<{_{v0}_}>');
});

it('finds wrapped base64 with every character percent-encoded', () => {
  const wrapped = base64('a private value of some length').replaceAll(/.{8}(?=.)/g, '$&\r\n');
  const written = Buffer.from(wrapped).toString('hex').replaceAll(/../g, '%$&');
  expect(matcherOf('a private value of some length').replace(`<${written}>`)).toBe('<{_{v0}_}>');
});

it.each([
  ['first', ['a much longer private value', 'short-1']],
  ['last', ['short-1', 'a much longer private value']],
])('longestForm is that of the longest value, listed %s', (_, values) => {
  const { longestForm } = matcherOf('a much longer private value');
  expect(matcherOf(...values).longestForm).toBe(longestForm);
});
