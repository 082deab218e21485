import { expect, it } from 'vitest';
import { parseHeaders, parseTarget } from '../../src/commands/parse-target.js';

it('accepts HTTP URLs and refuses others, without repeating credentials', () => {
  expect(parseTarget('http://127.0.0.1:1/x').pathname).toBe('/x');
  expect(() => parseTarget('ftp://x')).toThrow('must be an HTTP URL');
  expect(() => parseTarget('s1')).toThrow('such as http');
  expect(() => parseTarget('redis://user:canary@127.0.0.1:6379')).toThrow(
    /^(?!.*canary).*must be an HTTP URL/,
  );
});
it('refuses a URL with a user or a password, and repeats neither', () => {
  expect(() => parseTarget('http://canary:secret@127.0.0.1:1/x?token=secret')).toThrow(
    /^(?!.*(canary|secret)).*--header/,
  );
  for (const user of ['canary', ':canary'])
    expect(() => parseTarget(`http://${user}@127.0.0.1:1/x`)).toThrow(/^(?!.*canary).*--header/);
});
it('parses headers, and does not repeat the value of an invalid one', () => {
  expect(parseHeaders(['Authorization: Bearer a:b', 'x-y:z', ' X-Name : Jürg\tB ', 'x-none:'])).toEqual({
    authorization: 'Bearer a:b',
    'x-y': 'z',
    'x-name': 'Jürg\tB',
    'x-none': '',
  });
  for (const wrong of [
    'canary-secret',
    ': canary',
    'x y: canary',
    'x: canary\u0001',
    'x: canary\u007Fb',
    'x: canary\nb',
    'x: canary日本',
  ])
    expect(() => parseHeaders([wrong])).toThrow(/^(?!.*canary).*--header/);
  for (const nameless of ['canary', ': canary'])
    expect(() => parseHeaders([nameless])).toThrow("A header in --header must have the form 'name: value'.");
  expect(() => parseHeaders(['canary'], 'SVC_WEB_SEARCH_HEADER')).toThrow(
    /^A header in SVC_WEB_SEARCH_HEADER must/,
  );
});

it('joins the values of headers with the same name, as HTTP does', () => {
  expect(parseHeaders(['Cookie: a=1', 'cookie: b=2', 'X-Tag: one', 'x-tag: two'])).toEqual({
    cookie: 'a=1; b=2',
    'x-tag': 'one, two',
  });
});
