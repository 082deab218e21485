import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldBackText, createValueMatcher, type HeldBackState } from '../src/index.js';
import { canary, forms, surrounding } from './forms.js';

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

const plan = fc.record({
  values: fc.array(canary, { minLength: 1, maxLength: 3 }),
  writes: fc.array(fc.constantFrom(...Object.values(forms)), { minLength: 1, maxLength: 3 }),
  around: fc.array(surrounding, { minLength: 4, maxLength: 4 }),
  places: splits,
});

function planned({
  values,
  writes,
  around,
}: {
  values: string[];
  writes: ((v: string) => string)[];
  around: string[];
}) {
  return around
    .map((text, i) => text + (writes[i % writes.length]?.(values[i % values.length] ?? '') ?? ''))
    .join('');
}

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

describe('properties', () => {
  it('what is shown is what replacing the whole text gives, however it is split', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const text = planned(given);
        const of = createValueMatcher(given.values.map((value, i) => ({ name: `v${i}`, value })));
        expect(showAll(cut(text, given.places), of).join('')).toBe(of.replace(text));
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
        const of = createValueMatcher(given.values.map((value) => ({ name: 'v', value })));
        const text = createHeldBackText(of);
        for (const chunk of cut(planned(given), given.places)) {
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
        const of = createValueMatcher(given.values.map((value) => ({ name: 'v', value })));
        const chunks = cut(planned(given), given.places);
        const first = createHeldBackText(of);
        const before = chunks.slice(0, at).map((chunk) => first.push(chunk));
        const state = JSON.parse(JSON.stringify(first.state)) as HeldBackState;
        const second = createHeldBackText(
          createValueMatcher(given.values.map((value) => ({ name: 'v', value }))),
          state,
        );
        const after = chunks.slice(at).map((chunk) => second.push(chunk));
        expect([...before, ...after, second.flush()]).toEqual(showAll(chunks, of));
      }),
    );
  });
});
