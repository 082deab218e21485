import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';

const updates = (texts: readonly string[]) =>
  texts.map((streaming_content) => ({ name: 'update', payload: { assistant_id: 'a', streaming_content } }));

/** Returns what a client shows after each text if it appends deltas and replaces on `replace_content`. */
function render(texts: readonly string[]): string[] {
  let shown = '';
  return updates(texts).map((_, index) => {
    shown = '';
    for (const event of normalizeStream(updates(texts.slice(0, index + 1)))) {
      shown = event.assistant?.replace_content === true ? String(event.text) : shown + String(event.text);
    }
    return shown;
  });
}

describe('cumulative text', () => {
  test('adds up to the whole text, however it is split', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.array(fc.nat({ max: 40 })),
        (text, cuts) => {
          const ends = [...cuts.map((cut) => Math.min(cut, text.length)), text.length].toSorted(
            (a, b) => a - b,
          );
          const events = [...normalizeStream(updates(ends.map((end) => text.slice(0, end))))];
          expect(events.map((event) => event.text).join('')).toBe(text);
        },
      ),
    );
  });

  test('is shown as the latest snapshot, or the longer one from which it shrank', () => {
    const pieces = fc.constantFrom('H', 'Hel', 'Hello', 'Hello there', 'Hello world', 'Other', 'O');
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 8 }), (texts) => {
        render(texts).forEach((shown, index) => expect(shown.startsWith(texts[index] ?? '')).toBe(true));
      }),
    );
  });

  test('that shrinks and grows again repeats nothing', () => {
    const events = [...normalizeStream(updates(['Hello world', 'Hello', 'Hello world!']))];
    expect(events.map((event) => event.text)).toEqual(['Hello world', '!']);
  });

  test('that starts over replaces what was shown, flat and in the descriptor', () => {
    expect([...normalizeStream(updates(['Hello', 'Other']))].at(-1)).toMatchObject({
      text: 'Other',
      replace_content: true,
      assistant: { delta: 'Other', replace_content: true },
    });
  });
});
