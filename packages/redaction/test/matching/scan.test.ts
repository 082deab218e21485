import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, withoutHeldText } from '../../src/index.js';

const token = createValueMatcher([{ name: 'token', value: 'sk-live-123' }]);

/** What is shown of these chunks after so many characters that nobody knows any more. */
function showAfter(lost: number, chunks: string[], of = token): string[] {
  const text = createHeldBackText(of, { held: '', settled: 0, isKept: false, lost });
  return [...chunks.map((chunk) => text.push(chunk)), text.flush()];
}

describe('after a lost beginning', () => {
  it.each([
    [
      'the rest of a value that begins with a cut escape',
      2,
      ['%2', 'Dlive%2d123.'],
      ['', '{_{token}_}.', ''],
    ],
    [
      'the rest of a value that begins with half an escape',
      4,
      ['D', 'live%2d123.'],
      ['', '{_{token}_}.', ''],
    ],
    ['a whole value is none', 5, ['sk-live-123.'], ['<redacted>{_{token}_}.', '']],
    ['no more can be missing than was lost', 1, ['-live-123.'], ['<redacted>-live-123.', '']],
    ['all that was lost may be missing', 2, ['-live-123.'], ['{_{token}_}.', '']],
    ['one letter may be missing', 1, ['k-live-123.'], ['{_{token}_}.', '']],
    ['all but one letter may be missing', 10, ['3.'], ['{_{token}_}.', '']],
  ])('%s', (_, lost, chunks, shown) => {
    expect(showAfter(lost, chunks)).toEqual(shown);
  });
});

it('of a value of any length three letters may be stored, and no more', () => {
  const long = createValueMatcher([{ name: 'long', value: 'sk-live-123-and-many-more' }]);
  const storedOf = (held: string) => withoutHeldText({ held, settled: 0, isKept: false }, long).held;
  expect(['sk-', 'sk-l'].map(storedOf)).toEqual(['sk-', '']);
});

describe('an escape at the end of a chunk', () => {
  it.each([
    ['ends a value', ['a sk-live-12%33', '4'], ['a {_{token}_}', '4', '']],
    ['is cut in a value', ['a sk-live-12%', '33.'], ['a ', '{_{token}_}.', '']],
    ['is cut after its first digit', ['a sk-live-12%3', '3.'], ['a ', '{_{token}_}.', '']],
    ['is cut in a longer one', ['a sk-live-12%2', '533.'], ['a ', '{_{token}_}.', '']],
    ['is cut after its backslash', ['a sk-live-12\\', 'u0033.'], ['a ', '{_{token}_}.', '']],
    ['is cut in its digits', ['a sk-live-12\\u00', '33.'], ['a ', '{_{token}_}.', '']],
    ['begins a value', ['a %', '73k-live-123.'], ['a ', '{_{token}_}.', '']],
    ['begins one with a backslash', ['a \\', 'u0073k-live-123.'], ['a ', '{_{token}_}.', '']],
  ])('%s', (_, chunks, shown) => {
    const text = createHeldBackText(token);
    expect([...chunks.map((chunk) => text.push(chunk)), text.flush()]).toEqual(shown);
  });
});

describe('a replacement that holds a value', () => {
  const bare = (values: Readonly<Record<string, string>>) =>
    createValueMatcher(
      Object.entries(values).map(([name, value]) => ({ name, value })),
      { replacement: (name) => name },
    );

  it('does not hide that a longer value starts with it', () => {
    expect(bare({ a_tokx: 'tokx', long: 'a_tokx-99' }).replace('a_tokx-99 a_tokx')).toBe('long a_tokx');
  });

  it('is not kept where a value cuts it, also behind one that is kept', () => {
    expect(bare({ my_tokk: 'tokk', b: 'x_my' }).replace('my_tokk x_my_tokk')).toBe('my_tokk b_my_tokk');
  });

  it('is kept to its end, also where another one stands in it', () => {
    expect(bare({ a_tokx_word: 'tokx', tokx_: 'word' }).replace('a_tokx_word')).toBe('a_tokx_word');
    expect(bare({ a_tokx: 'tokx', tokx_word: 'zzzz', w: 'word' }).replace('a_tokx_word word')).toBe(
      'a_tokx_word w',
    );
  });

  it('is shown whole, also where a value might begin in it', () => {
    const text = createHeldBackText(bare({ my_abcd: 'abcd', b: 'cd_more' }));
    expect([text.push('my_abcd'), text.push(' on'), text.flush()]).toEqual(['my_ab', 'cd on', '']);
    expect([text.push('my_abcd'), text.push('_more'), text.flush()]).toEqual(['my_ab', 'b', '']);
  });
});
