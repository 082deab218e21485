import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, type HeldBackState, withoutHeldText } from '../src/index.js';
import { canary, forms, matcherOf, surrounding } from './forms.js';

const matcher = createValueMatcher([
  { name: 'token', value: 'sk-live-123' },
  { name: 'word', value: 'live' },
]);

function showAll(chunks: string[], of = matcher): string[] {
  const text = createHeldBackText(of);
  return [...chunks.map((chunk) => text.push(chunk)), text.flush()];
}

const splits = fc.array(fc.nat({ max: 400 }), { maxLength: 8 });

function cut(text: string, places: number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length));
}

/** A text in chunks of at most so many characters. */
function pieces(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
}

/** A text that holds values in several writings, and where to cut it. */
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

describe('a text in chunks', () => {
  it.each([
    ['no value at the end', ['Hello ', 'there.'], ['Hello ', 'there.', '']],
    ['a value in one chunk', ['a sk-live-123.'], ['a {_{token}_}.', '']],
    ['a value over three chunks', ['a sk-', 'live', '-123.'], ['a ', '', '{_{token}_}.', '']],
    ['a beginning that is no value', ['a sk-l', 'ost'], ['a ', 'sk-lost', '']],
    ['a beginning that ends the text', ['a sk-live'], ['a ', 'sk-{_{word}_}']],
    ['an escape over two chunks', ['a sk%2', 'Dlive%2d123'], ['a ', '{_{token}_}', '']],
    ['single letters', [...'liver'], ['', '', '', '{_{word}_}', 'r', '']],
    ['empty chunks', ['', 'li', '', 've'], ['', '', '', '{_{word}_}', '']],
  ])('%s', (_, chunks, shown) => {
    expect(showAll(chunks)).toEqual(shown);
  });

  it('takes a new text after flush', () => {
    const text = createHeldBackText(matcher);
    expect(text.push('li') + text.flush()).toBe('li');
    expect(text.push('ve') + text.flush()).toBe('ve');
  });

  it('holds nothing when there is nothing to find', () => {
    const none = createValueMatcher([{ name: 'short', value: 'abc' }]);
    expect(showAll(['\\', '%', 'ab', 'c'], none)).toEqual(['\\', '%', 'ab', 'c', '']);
  });
});

/** The text that another process shows after these chunks, going on without what was held back. */
function showRest(before: string[], after: string[], of = matcher): string {
  const first = createHeldBackText(of);
  for (const chunk of before) first.push(chunk);
  const state = JSON.parse(JSON.stringify(withoutHeldText(first.state, of))) as HeldBackState;
  const second = createHeldBackText(of, state);
  return after.map((chunk) => second.push(chunk)).join('') + second.flush();
}

describe('a text that goes on without what was held back', () => {
  const pair = createValueMatcher([
    { name: 'token', value: 'sk-live-123' },
    { name: 'word', value: 'live' },
    { name: 'next', value: '-123-456' },
    { name: 'over', value: 'ive-99' },
  ]);

  it.each([
    ['hides the rest of a value', ['a sk-li'], ['ve-123.'], '{_{token}_}.'],
    ['hides it in any letter case', ['a SK-Li'], ['VE-123.'], '{_{token}_}.'],
    ['hides it in chunks', ['a sk-li'], ['v', 'e-1', '23', '.'], '{_{token}_}.'],
    ['hides it after half an escape', ['a sk-l%6'], ['9ve-123.'], '{_{token}_}.'],
    ['hides it after half a long escape', ['a sk-l\\\\'], ['\\u0069ve-123.'], '{_{token}_}.'],
    ['hides it after an escape cut in its midst', ['a sk-l%25'], ['2569ve-123.'], '{_{token}_}.'],
    ['hides it after a line break in base64', ['a c2stbGl'], ['\n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides it before one', ['a c2stbGl'], ['2ZS0xMj\nM.'], '{_{token}_}.'],
    ['hides it in one that is escaped', ['a c2stbGl\\'], ['r\\n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides it at the end of one', ['a c2stbGl\\r\\'], ['n2ZS0xMjM.'], '{_{token}_}.'],
    ['hides what is encoded', ['a sk%2Dli'], ['ve%2d123.'], '{_{token}_}.'],
    ['hides what is in base64', ['a c2stbGl'], ['2ZS0xMjM.'], '{_{token}_}.'],
    ['hides a value that overlaps it', ['a sk-li'], ['ve-123-456.'], '{_{token}_}{_{next}_}.'],
    ['shows that text is lost', ['a sk-li'], ['on.'], '<redacted>on.'],
    ['shows it at the end', ['a sk-li'], [], '<redacted>'],
    ['finds later values', ['a sk-li'], ['on sk-live-123'], '<redacted>on {_{token}_}'],
    ['loses nothing that tells nothing', ['a s'], ['et'], 'set'],
    ['loses nothing while nothing waits', ['a '], ['set'], 'set'],
    ['shows nothing for what is shown', ['a live'], [' on'], ' on'],
    ['shows nothing for what is shown, in chunks', ['a live'], ['-', ' on'], '- on'],
    ['hides the rest of what is shown in part', ['a live'], ['-99 on'], '{_{over}_} on'],
  ])('%s', (_, before, after, shown) => {
    expect(showRest(before, after, pair)).toBe(shown);
  });

  it('hides what it would take too long to look through', () => {
    const long = createValueMatcher([{ name: 'long', value: 'z'.repeat(2_000) }]);
    const before = ['z'.repeat(1_000)];
    expect(showRest(before, ['z'.repeat(900)], long)).toBe('<redacted>');
    expect(showRest(before, ['z'.repeat(900), ' on'], long)).toBe('<redacted> on');
    expect(showRest(before, ['z'.repeat(900), 'z'.repeat(100), ' on'], long)).toBe('{_{long}_} on');
  });

  it('hides the rest of a value behind what took too long', () => {
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

  it('keeps one character of a value of four', () => {
    const pin = createValueMatcher([{ name: 'pin', value: '4711' }]);
    const state = { held: '4', settled: 0, isKept: false };
    expect(withoutHeldText(state, pin)).toBe(state);
    expect(withoutHeldText({ ...state, held: '47' }, pin)).toEqual({ ...state, held: '', lost: 2 });
    expect(withoutHeldText(state, undefined)).toEqual({ ...state, held: '', lost: 1 });
    expect(withoutHeldText({ ...state, lost: 2 }, pin)).toEqual({ ...state, held: '', lost: 3 });
    expect(showRest(['pin 471'], ['1.'], pin)).toBe('{_{pin}_}.');
  });

  it('knows how much is lost, however often it changes hands', () => {
    let state = createHeldBackText(matcher).state;
    for (const chunk of ['sk-l', 'ive', '-12']) {
      const text = createHeldBackText(matcher, state);
      expect(text.push(chunk)).toBe('');
      expect(text.isEmpty).toBe(false);
      state = withoutHeldText(text.state, matcher);
    }
    expect(state).toMatchObject({ held: '', lost: 10 });
    const last = createHeldBackText(matcher, state);
    expect(last.isEmpty).toBe(false);
    expect(last.push('3.') + last.flush()).toBe('{_{token}_}.');
    expect(last.isEmpty).toBe(true);
  });
});

describe('properties', () => {
  it('what is shown is what replacing the whole text gives, however it is split', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const of = matcherOf(...given.values);
        expect(showAll(cut(given.text, given.places), of).join('')).toBe(of.replace(given.text));
      }),
      { numRuns: 2000 },
    );
  });

  it('the same holds where the replacements hold values themselves', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc_\\'), maxLength: 60 });
    const value = fc.string({ unit: fc.constantFrom(...'abc_'), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value), { maxLength: 4 }),
        letters,
        splits,
        (pairs, text, places) => {
          const of = createValueMatcher(
            pairs.map(([name, known]) => ({ name: `${name}${name}`, value: known })),
            { replacement: (name) => name },
          );
          expect(showAll(cut(text, places), of).join('')).toBe(of.replace(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('less than the longest form is held, and less than the longest value where nothing is encoded', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const of = matcherOf(...given.values);
        const text = createHeldBackText(of);
        for (const chunk of cut(given.text, given.places)) {
          text.push(chunk);
          expect(text.state.held.length).toBeLessThan(of.longestForm);
          const longestValue = Math.max(...given.values.map((value) => value.length * 1.4 + 3));
          if (!/[\\%\n\r]/.test(text.state.held)) expect(text.state.held.length).toBeLessThan(longestValue);
        }
      }),
    );
  });

  it('another process goes on from the state, chunk by chunk the same', () => {
    fc.assert(
      fc.property(plan, fc.nat({ max: 8 }), (given, at) => {
        const of = matcherOf(...given.values);
        const chunks = cut(given.text, given.places);
        const first = createHeldBackText(of);
        const before = chunks.slice(0, at).map((chunk) => first.push(chunk));
        const state = JSON.parse(JSON.stringify(first.state)) as HeldBackState;
        const second = createHeldBackText(matcherOf(...given.values), state);
        const after = chunks.slice(at).map((chunk) => second.push(chunk));
        expect([...before, ...after, second.flush()]).toEqual(showAll(chunks, of));
      }),
    );
  });

  it('what was read before changes nothing but the time it takes', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const of = matcherOf(...given.values);
        const text = createHeldBackText(of);
        for (const chunk of cut(given.text, given.places)) {
          const anew = createHeldBackText(of, structuredClone(text.state));
          expect([text.push(chunk), text.state]).toEqual([anew.push(chunk), anew.state]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('another process that goes on without the held text shows no rest of a value', () => {
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
          const of = matcherOf(...values);
          const written = write(values[0] ?? '');
          const text = left + written + right;
          const at = place % (text.length + 1);
          const shown = showRest(pieces(text.slice(0, at), length), pieces(text.slice(at), length), of);
          // Four characters in a row that only the value has would tell of it.
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
    ['base64 in lines', '\r\n'],
    ['base64 in lines in JSON', '\\r\\n'],
    ['base64 in lines in JSON in JSON', '\\\\r\\\\n'],
  ])('nor one in %s', (_, lineBreak) => {
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
          const of = matcherOf(value);
          const written = btoa(value).replaceAll(/.{8}/g, `$&${lineBreak}`);
          const text = `so ${written} on`;
          const handed = cut(text, places).map((part) => pieces(part, length));
          let state = createHeldBackText(of).state;
          let shown = '';
          for (const chunks of handed) {
            const process = createHeldBackText(of, withoutHeldText(state, of));
            for (const chunk of chunks) shown += process.push(chunk);
            state = process.state;
          }
          shown += createHeldBackText(of, state).flush();
          for (const part of written.match(/[\w+/]{5}/g) ?? []) expect(shown).not.toContain(part);
        },
      ),
    );
  });
});
