import { describe, expect, it } from 'vitest';
import { matcherOf } from '../forms.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a value in base64', () => {
  it.each([0, 1, 2, 3])('of a JSON text that it is a part of, after %i other letters', (count) => {
    const value = 'sk-"live"-1234';
    const text = base64(JSON.stringify({ of: `${'x'.repeat(count)} ${value} on` }));
    const shown = matcherOf(value).replace(text);
    expect(shown).toContain('{_{v0}_}');
    expect(shown.length).toBeLessThan(text.length);
  });

  it.each(['\n', '\\n', '%0A'])('behind a line break, which stays: %j', (lineBreak) => {
    expect(matcherOf('a private value').replace(`a:${lineBreak}${base64('a private value')}`)).toBe(
      `a:${lineBreak}{_{v0}_}`,
    );
  });

  it.each(['base64', 'base64url'] as const)('with a line break at any place, in %s', (alphabet) => {
    const all = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).join('');
    const values = Array.from({ length: 82 }, (_, i) => all.slice(i, i + 12)).concat(
      '???>~?>~?>??',
      '~~~~~>>>>>',
    );
    for (const value of values) {
      const of = matcherOf(value);
      const written = Buffer.from(value).toString(alphabet).replace(/=+$/, '');
      for (let at = 1; at < written.length; at += 1) {
        const wrapped = `${written.slice(0, at)}\n${written.slice(at)}`;
        expect(of.replace(`a ${wrapped}=`)).toBe('a {_{v0}_}=');
      }
    }
  });

  it.each(['\n', '\r\n'])('with a line break after each letter: %j', (lineBreak) => {
    const written = base64('a private value').replaceAll(/.(?=.)/g, `$&${lineBreak}`);
    expect(matcherOf('a private value').replace(`(${written})`)).toBe('({_{v0}_})');
  });

  it('with more than a line break between two letters is none', () => {
    const [, before = '', after = ''] = /^(.{9})(.*)$/.exec(base64('a private value')) ?? [];
    const of = matcherOf('a private value');
    for (const lineBreak of ['\n', '\r\n', '\\r\\n', '\n\n'])
      expect(of.has(before + lineBreak + after)).toBe(true);
    for (const gap of ['\n\n\n', '\\n\\n\\n', '%0A%0A%0A', ' '])
      expect(of.has(before + gap + after)).toBe(false);
  });
});

it.each([8, 9, 10])('%i bytes that are no text leave no letter of their base64', (length) => {
  const bytes = Buffer.alloc(length, 0xfb);
  for (const written of [bytes.toString('base64'), bytes.toString('base64url')])
    expect(matcherOf(bytes).replace(`<${written.replace(/=+$/, '')}>`)).toBe('<{_{v0}_}>');
});

it('wrapped base64 whose every letter is encoded for a URL is found', () => {
  const wrapped = base64('a private value of some length').replaceAll(/.{8}(?=.)/g, '$&\r\n');
  const written = Buffer.from(wrapped).toString('hex').replaceAll(/../g, '%$&');
  expect(matcherOf('a private value of some length').replace(`<${written}>`)).toBe('<{_{v0}_}>');
});

it.each([
  ['first', ['a much longer private value', 'short-1']],
  ['last', ['short-1', 'a much longer private value']],
])('the longest form is one of the longest value, which is %s', (_, values) => {
  const { longestForm } = matcherOf('a much longer private value');
  expect(matcherOf(...values).longestForm).toBe(longestForm);
});
