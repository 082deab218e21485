import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, withoutHeldText } from '../../src/index.js';

const token = createValueMatcher([{ name: 'token', value: 'sk-live-123' }]);

/** Returns what is shown for chunks that follow `lost` dropped characters. */
function showAfter(lost: number, chunks: string[], matcher = token): string[] {
  const text = createHeldBackText(matcher, { held: '', settled: 0, isKept: false, lost });
  return [...chunks.map((chunk) => text.push(chunk)), text.flush()];
}

describe('text after a dropped beginning', () => {
  it.each([
    [
      'hides the rest of a value from an escape split between chunks on',
      2,
      ['%2', 'Dlive%2d123.'],
      ['', '{_{token}_}.', ''],
    ],
    [
      'hides the rest of a value from the second half of an escape on',
      4,
      ['D', 'live%2d123.'],
      ['', '{_{token}_}.', ''],
    ],
    [
      'replaces a whole value, which is not the rest of one',
      5,
      ['sk-live-123.'],
      ['<redacted>{_{token}_}.', ''],
    ],
    [
      'shows the rest of a value if more than was dropped is missing',
      1,
      ['-live-123.'],
      ['<redacted>-live-123.', ''],
    ],
    [
      'hides the rest of a value if all dropped characters are missing',
      2,
      ['-live-123.'],
      ['{_{token}_}.', ''],
    ],
    ['hides the rest of a value if one character is missing', 1, ['k-live-123.'], ['{_{token}_}.', '']],
    ['hides the last character of a value', 10, ['3.'], ['{_{token}_}.', '']],
  ])('%s', (_, lost, chunks, shown) => {
    expect(showAfter(lost, chunks)).toEqual(shown);
  });
});

it('stores at most three held characters, however long the value is', () => {
  const long = createValueMatcher([{ name: 'long', value: 'sk-live-123-and-many-more' }]);
  const storedOf = (held: string) => withoutHeldText({ held, settled: 0, isKept: false }, long).held;
  expect(['sk-', 'sk-l'].map(storedOf)).toEqual(['sk-', '']);
});

describe('an escape at the end of a chunk', () => {
  it.each([
    ['completes a value', ['a sk-live-12%33', '4'], ['a {_{token}_}', '4', '']],
    ['is held back if cut after its percent sign', ['a sk-live-12%', '33.'], ['a ', '{_{token}_}.', '']],
    ['is held back if cut after its first digit', ['a sk-live-12%3', '3.'], ['a ', '{_{token}_}.', '']],
    ['is held back if it may be encoded twice', ['a sk-live-12%2', '533.'], ['a ', '{_{token}_}.', '']],
    ['is held back if cut after its backslash', ['a sk-live-12\\', 'u0033.'], ['a ', '{_{token}_}.', '']],
    ['is held back if cut in its digits', ['a sk-live-12\\u00', '33.'], ['a ', '{_{token}_}.', '']],
    ['is held back if it may begin a value', ['a %', '73k-live-123.'], ['a ', '{_{token}_}.', '']],
    [
      'is held back if it may begin a value with a backslash',
      ['a \\', 'u0073k-live-123.'],
      ['a ', '{_{token}_}.', ''],
    ],
  ])('%s', (_, chunks, shown) => {
    const text = createHeldBackText(token);
    expect([...chunks.map((chunk) => text.push(chunk)), text.flush()]).toEqual(shown);
  });
});

describe('a replacement that contains a value', () => {
  const bare = (values: Readonly<Record<string, string>>) =>
    createValueMatcher(
      Object.entries(values).map(([name, value]) => ({ name, value })),
      { replacement: (name) => name },
    );

  it('is not kept where a longer value starts with it', () => {
    expect(bare({ a_tokx: 'tokx', long: 'a_tokx-99' }).replace('a_tokx-99 a_tokx')).toBe('long a_tokx');
  });

  it('is not kept where a value overlaps its start, even after one that is kept', () => {
    expect(bare({ my_tokk: 'tokk', b: 'x_my' }).replace('my_tokk x_my_tokk')).toBe('my_tokk b_my_tokk');
  });

  it('is kept to its end, even if another one is inside it or overlaps it', () => {
    expect(bare({ a_tokx_word: 'tokx', tokx_: 'word' }).replace('a_tokx_word')).toBe('a_tokx_word');
    expect(bare({ a_tokx: 'tokx', tokx_word: 'zzzz', w: 'word' }).replace('a_tokx_word word')).toBe(
      'a_tokx_word w',
    );
  });

  it('is held back from where a value may begin inside it', () => {
    const text = createHeldBackText(bare({ my_abcd: 'abcd', b: 'cd_more' }));
    expect([text.push('my_abcd'), text.push(' on'), text.flush()]).toEqual(['my_ab', 'cd on', '']);
    expect([text.push('my_abcd'), text.push('_more'), text.flush()]).toEqual(['my_ab', 'b', '']);
  });
});
