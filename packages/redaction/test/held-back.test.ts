import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, type HeldBackState, withoutHeldText } from '../src/index.js';
import { canary, forms, matcherOf, surrounding } from './forms.js';

const tokenMatcher = createValueMatcher([
  { name: 'token', value: 'sk-live-123' },
  { name: 'word', value: 'live' },
]);

function showAll(chunks: string[], matcher = tokenMatcher): string[] {
  const text = createHeldBackText(matcher);
  return [...chunks.map((chunk) => text.push(chunk)), text.flush()];
}

const splits = fc.array(fc.nat({ max: 400 }), { maxLength: 8 });

function cut(text: string, places: number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length));
}

/** Splits a text into chunks of at most `length` characters. */
function pieces(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
}

/** A text that contains values in several forms, and where to cut it. */
const plan = fc
  .record({
    values: fc.array(canary, { minLength: 1, maxLength: 3 }),
    writes: fc.array(fc.constantFrom(...Object.values(forms)), { minLength: 1, maxLength: 3 }),
    around: fc.array(surrounding, { minLength: 4, maxLength: 4 }),
    places: splits,
  })
  .map(({ values, writes, around, places }) => {
    const written = around.map(
      (text, i) => text + (writes[i % writes.length]?.(values[i % values.length] ?? '') ?? ''),
    );
    return { values, text: written.join(''), places };
  });

describe('a held-back text', () => {
  it.each([
    ['shows a chunk if no value may begin at its end', ['Hello ', 'there.'], ['Hello ', 'there.', '']],
    ['replaces a value inside a chunk', ['a sk-live-123.'], ['a {_{token}_}.', '']],
    ['replaces a value split over three chunks', ['a sk-', 'live', '-123.'], ['a ', '', '{_{token}_}.', '']],
    ['shows a beginning that turns out not to be a value', ['a sk-l', 'ost'], ['a ', 'sk-lost', '']],
    ['shows an incomplete value that ends the text', ['a sk-live'], ['a ', 'sk-{_{word}_}']],
    ['replaces a value whose escape is split', ['a sk%2', 'Dlive%2d123'], ['a ', '{_{token}_}', '']],
    ['replaces a value that arrives letter by letter', [...'liver'], ['', '', '', '{_{word}_}', 'r', '']],
    ['replaces a value with empty chunks in between', ['', 'li', '', 've'], ['', '', '', '{_{word}_}', '']],
  ])('%s', (_, chunks, shown) => {
    expect(showAll(chunks)).toEqual(shown);
  });

  it('starts a new text after flush', () => {
    const text = createHeldBackText(tokenMatcher);
    expect(text.push('li') + text.flush()).toBe('li');
    expect(text.push('ve') + text.flush()).toBe('ve');
  });

  it('holds nothing back if every value is too short to be found inside a text', () => {
    const none = createValueMatcher([{ name: 'short', value: 'abc' }]);
    expect(showAll(['\\', '%', 'ab', 'c'], none)).toEqual(['\\', '%', 'ab', 'c', '']);
  });

  it('hides text that takes too long to search, and the rest of a value after it', () => {
    const value = `${'z'.repeat(5_000)}-live`;
    const long = createValueMatcher([{ name: 'long', value }]);
    const before = 'z'.repeat(15_000);
    const shown = (chunks: string[]) =>
      showAll(chunks, long)
        .join('')
        .replace(/z{1,999}\{/, '...{');
    expect(shown([`so ${before}-live on`])).toBe('so ...{_{long}_}');
    expect(shown([`so ${before}`, '-live', ' on'])).toBe('so ...{_{long}_}{_{long}_} on');
    expect(shown([`so ${before}`, ' on'])).toBe('so ...{_{long}_} on');
    expect(shown([`so ${before}`])).toBe('so ...{_{long}_}');
    expect(long.find(before).map(({ end }) => end)).toEqual([before.length]);
  });
});

/** Returns what another process shows for `after` if it continues without what was held back of `before`. */
function showRest(before: string[], after: string[], matcher = tokenMatcher): string {
  const first = createHeldBackText(matcher);
  for (const chunk of before) first.push(chunk);
  const state = JSON.parse(JSON.stringify(withoutHeldText(first.state, matcher))) as HeldBackState;
  const second = createHeldBackText(matcher, state);
  return after.map((chunk) => second.push(chunk)).join('') + second.flush();
}

describe('a text continued without what was held back', () => {
  const pair = createValueMatcher([
    { name: 'token', value: 'sk-live-123' },
    { name: 'word', value: 'live' },
    { name: 'next', value: '-123-456' },
    { name: 'over', value: 'ive-99' },
  ]);

  it.each([
    ['hides the rest of a value', ['a sk-li'], ['ve-123.'], '{_{token}_}.'],
    ['hides the rest in any letter case', ['a SK-Li'], ['VE-123.'], '{_{token}_}.'],
    ['hides the rest if it arrives in chunks', ['a sk-li'], ['v', 'e-1', '23', '.'], '{_{token}_}.'],
    ['hides the rest after half a URL escape', ['a sk-l%6'], ['9ve-123.'], '{_{token}_}.'],
    ['hides the rest after half a JSON escape', ['a sk-l\\\\'], ['\\u0069ve-123.'], '{_{token}_}.'],
    ['hides the rest after half a repeated URL escape', ['a sk-l%25'], ['2569ve-123.'], '{_{token}_}.'],
    ['hides the rest of base64 from a line break on', ['a c2stbGl'], ['\n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides the rest of base64 across a line break', ['a c2stbGl'], ['2ZS0xMj\nM.'], '{_{token}_}.'],
    ['hides the rest of base64 after half an escaped CR', ['a c2stbGl\\'], ['r\\n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides the rest of base64 after half an escaped LF', ['a c2stbGl\\r\\'], ['n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides the rest of a percent-encoded value', ['a sk%2Dli'], ['ve%2d123.'], '{_{token}_}.'],
    ['hides the rest of base64', ['a c2stbGl'], ['2ZS0xMjM.'], '{_{token}_}.'],
    ['hides a value that overlaps the rest', ['a sk-li'], ['ve-123-456.'], '{_{token}_}{_{next}_}.'],
    ['shows a marker for dropped text that was not a value', ['a sk-li'], ['on.'], '<redacted>on.'],
    ['shows the marker if the text ends there', ['a sk-li'], [], '<redacted>'],
    ['finds later values after the marker', ['a sk-li'], ['on sk-live-123'], '<redacted>on {_{token}_}'],
    ['keeps held text that is too short to reveal a value', ['a s'], ['et'], 'set'],
    ['drops nothing if nothing is held back', ['a '], ['set'], 'set'],
    ['shows no marker for a value already replaced', ['a live'], [' on'], ' on'],
    ['shows no marker for a value already replaced, before several chunks', ['a live'], ['-', ' on'], '- on'],
    ['hides the rest of a value that overlaps one already replaced', ['a live'], ['-99 on'], '{_{over}_} on'],
  ])('%s', (_, before, after, shown) => {
    expect(showRest(before, after, pair)).toBe(shown);
  });

  it('hides text that would take too long to search for the rest of a value', () => {
    const long = createValueMatcher([{ name: 'long', value: 'z'.repeat(2_000) }]);
    const before = ['z'.repeat(1_000)];
    expect(showRest(before, ['z'.repeat(900)], long)).toBe('<redacted>');
    expect(showRest(before, ['z'.repeat(900), ' on'], long)).toBe('<redacted> on');
    expect(showRest(before, ['z'.repeat(900), 'z'.repeat(100), ' on'], long)).toBe('{_{long}_} on');
  });

  it('keeps at most one held character of a four-character value', () => {
    const pin = createValueMatcher([{ name: 'pin', value: '4711' }]);
    const state = { held: '4', settled: 0, isKept: false };
    expect(withoutHeldText(state, pin)).toBe(state);
    expect(withoutHeldText({ ...state, held: '47' }, pin)).toEqual({ ...state, held: '', lost: 2 });
    expect(withoutHeldText(state, undefined)).toEqual({ ...state, held: '', lost: 1 });
    expect(withoutHeldText({ ...state, lost: 2 }, pin)).toEqual({ ...state, held: '', lost: 3 });
    expect(showRest(['pin 471'], ['1.'], pin)).toBe('{_{pin}_}.');
  });

  it('counts the dropped characters across several processes', () => {
    let state = createHeldBackText(tokenMatcher).state;
    for (const chunk of ['sk-l', 'ive', '-12']) {
      const text = createHeldBackText(tokenMatcher, state);
      expect(text.push(chunk)).toBe('');
      expect(text.isEmpty).toBe(false);
      state = withoutHeldText(text.state, tokenMatcher);
    }
    expect(state).toMatchObject({ held: '', lost: 10 });
    const last = createHeldBackText(tokenMatcher, state);
    expect(last.isEmpty).toBe(false);
    expect(last.push('3.') + last.flush()).toBe('{_{token}_}.');
    expect(last.isEmpty).toBe(true);
  });
});

describe('properties', () => {
  it('any split shows the same as replacing in the whole text', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const matcher = matcherOf(...given.values);
        expect(showAll(cut(given.text, given.places), matcher).join('')).toBe(matcher.replace(given.text));
      }),
      { numRuns: 2000 },
    );
  });

  it('any split shows the same even if the replacements contain values', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc_\\'), maxLength: 60 });
    const value = fc.string({ unit: fc.constantFrom(...'abc_'), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value), { maxLength: 4 }),
        letters,
        splits,
        (pairs, text, places) => {
          const matcher = createValueMatcher(
            pairs.map(([name, known]) => ({ name: `${name}${name}`, value: known })),
            { replacement: (name) => name },
          );
          expect(showAll(cut(text, places), matcher).join('')).toBe(matcher.replace(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('less than the longest form is held, and about one value at most if nothing is escaped', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const matcher = matcherOf(...given.values);
        const text = createHeldBackText(matcher);
        for (const chunk of cut(given.text, given.places)) {
          text.push(chunk);
          expect(text.state.held.length).toBeLessThan(matcher.longestForm);
          const longestValue = Math.max(...given.values.map((value) => value.length * 1.4 + 3));
          if (!/[\\%\n\r]/.test(text.state.held)) expect(text.state.held.length).toBeLessThan(longestValue);
        }
      }),
    );
  });

  it('another process that continues from the state shows the same for every chunk', () => {
    fc.assert(
      fc.property(plan, fc.nat({ max: 8 }), (given, at) => {
        const matcher = matcherOf(...given.values);
        const chunks = cut(given.text, given.places);
        const first = createHeldBackText(matcher);
        const before = chunks.slice(0, at).map((chunk) => first.push(chunk));
        const state = JSON.parse(JSON.stringify(first.state)) as HeldBackState;
        const second = createHeldBackText(matcherOf(...given.values), state);
        const after = chunks.slice(at).map((chunk) => second.push(chunk));
        expect([...before, ...after, second.flush()]).toEqual(showAll(chunks, matcher));
      }),
    );
  });

  it('continuing from a copy of the state shows the same as continuing with the cached reading', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const matcher = matcherOf(...given.values);
        const text = createHeldBackText(matcher);
        for (const chunk of cut(given.text, given.places)) {
          const uncached = createHeldBackText(matcher, structuredClone(text.state));
          expect([text.push(chunk), text.state]).toEqual([uncached.push(chunk), uncached.state]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('another process that continues without the held text shows no part of a value', () => {
    const secret = fc.string({ minLength: 12, maxLength: 24, unit: fc.constantFrom(...'QXZJ0789_~') });
    const around = fc.string({ maxLength: 12, unit: fc.constantFrom(...'abc def\\%25') });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...Object.values(forms)),
        around,
        around,
        fc.nat(),
        fc.integer({ min: 1, max: 8 }),
        (values, write, left, right, place, length) => {
          const matcher = matcherOf(...values);
          const written = write(values[0] ?? '');
          const text = left + written + right;
          const at = place % (text.length + 1);
          const shown = showRest(pieces(text.slice(0, at), length), pieces(text.slice(at), length), matcher);
          // Four consecutive characters that only the value contains would reveal it.
          for (let i = 0; i + 4 <= written.length; i += 1) {
            const part = written.slice(i, i + 4);
            if (/[QXZJ0789_~]{4}/i.test(part)) expect(shown).not.toContain(part);
          }
          if (at > left.length + written.length && at < text.length)
            expect(shown.endsWith(right.slice(-1))).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['base64', ''],
    ['wrapped base64', '\r\n'],
    ['JSON-escaped wrapped base64', '\\r\\n'],
    ['wrapped base64 that is JSON-escaped twice', '\\\\r\\\\n'],
  ])('processes that each drop the held text show no part of a value in %s', (_, lineBreak) => {
    const secret = fc
      .string({ minLength: 12, maxLength: 24, unit: 'grapheme-ascii' })
      .map((text) => text.trim())
      .filter((text) => text.length >= 12);
    fc.assert(
      fc.property(
        secret,
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.integer({ min: 1, max: 8 }),
        (value, places, length) => {
          const matcher = matcherOf(value);
          const written = btoa(value).replaceAll(/.{8}/g, `$&${lineBreak}`);
          const text = `so ${written} on`;
          const chunksByProcess = cut(text, places).map((part) => pieces(part, length));
          let state = createHeldBackText(matcher).state;
          let shown = '';
          for (const chunks of chunksByProcess) {
            const process = createHeldBackText(matcher, withoutHeldText(state, matcher));
            for (const chunk of chunks) shown += process.push(chunk);
            state = process.state;
          }
          shown += createHeldBackText(matcher, state).flush();
          for (const part of written.match(/[\w+/]{5}/g) ?? []) expect(shown).not.toContain(part);
        },
      ),
    );
  });
});
