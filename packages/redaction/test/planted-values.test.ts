import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValueMatch } from '../src/index.js';
import { canary, forms, matcherOf, surrounding } from './forms.js';

function isCovered(matches: ValueMatch[], start: number, end: number): boolean {
  let at = start;
  for (const match of matches) if (match.start <= at && match.end > at) at = match.end;
  return at >= end;
}
describe('in any text', () => {
  it('a planted value is found whole, in every form and whatever surrounds it', () => {
    const form = fc.constantFrom(...Object.values(forms));
    fc.assert(
      fc.property(canary, form, surrounding, surrounding, (value, write, before, after) => {
        const written = write(value);
        const matches = matcherOf(value).find(before + written + after);
        expect(isCovered(matches, before.length, before.length + written.length)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('a planted value is found in base64, whatever is encoded with it', () => {
    const encoding = fc.constantFrom('base64', 'base64url');
    fc.assert(
      fc.property(canary, encoding, surrounding, surrounding, (value, alphabet, before, after) => {
        const offset = Buffer.byteLength(before);
        const end = offset + Buffer.byteLength(value);
        const text = Buffer.from(before + value + after).toString(alphabet as BufferEncoding);
        const matches = matcherOf(value).find(text);
        expect(isCovered(matches, Math.ceil((offset * 8) / 6), Math.ceil((end * 8) / 6))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('a planted value is found in base64 with line breaks and URL encoding', () => {
    const breaks = fc.array(fc.tuple(fc.nat({ max: 80 }), fc.constantFrom('\n', '\r\n', '\\n', '%0A')), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(canary, surrounding, breaks, fc.boolean(), (value, before, places, isUrl) => {
        const bytes = Buffer.from(value).toString('base64').replace(/=+$/, '');
        const letters = [...bytes].map((letter) => (isUrl ? encodeURIComponent(letter) : letter));
        for (const [at, lineBreak] of places) {
          if (at > 0 && at < letters.length && letters[at]?.length === 1)
            letters[at] = lineBreak + letters[at];
        }
        const written = letters.join('');
        const matches = matcherOf(value).find(`${before} ${written} after`);
        expect(isCovered(matches, before.length + 1, before.length + 1 + written.length)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('each of several values is found far inside a text', () => {
    const filler = fc.string({ maxLength: 300, unit: fc.constantFrom(...'abc019-_ +\n/') });
    fc.assert(
      fc.property(
        fc.array(canary, { minLength: 1, maxLength: 5 }),
        filler,
        filler,
        (values, before, after) => {
          const matcher = matcherOf(...values);
          for (const value of values) {
            const matches = matcher.find(before + value + after);
            expect(isCovered(matches, before.length, before.length + value.length)).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('replacing a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.array(canary, { maxLength: 4 }), surrounding, surrounding, (values, before, after) => {
        const matcher = matcherOf(...values);
        const once = matcher.replace(before + values.join(after) + after);
        fc.pre(!values.some((value) => /[{}_]|v\d/.test(value)));
        expect(matcher.replace(once)).toBe(once);
      }),
    );
  });

  it('a text without a private value is returned unchanged', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdef\\%25 un"/+='), maxLength: 200 });
    fc.assert(
      fc.property(letters, (text) => {
        expect(matcherOf('zq-secret-xk', 'ZZZZ', 'Ünïcödé').replace(text)).toBe(text);
      }),
    );
  });
});
