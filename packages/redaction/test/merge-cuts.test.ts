import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectEmail, detectPhone, detectUrl } from '../src/detectors/contact.js';
import { detectDate, detectDateTime } from '../src/detectors/date.js';
import { anyOf } from '../src/detectors/detector.js';
import { detectIp } from '../src/detectors/device.js';
import { detectLocation, detectPerson, detectSsn } from '../src/detectors/identity.js';
import { detectAccount, detectCard, detectIban } from '../src/detectors/payment.js';
import { detectPersonalData, PIIWhitelist, redactTexts, resolvePlaceholders } from '../src/index.js';

const others = anyOf(
  detectEmail,
  detectUrl,
  detectDate,
  detectDateTime,
  detectIp,
  detectLocation,
  detectPerson,
  detectSsn,
  detectAccount,
  detectCard,
  detectIban,
);
const any = anyOf(detectPhone, others);

const parts = (
  '+49 30 1234567|2024-01-31|10:15|555-234-5678|030 12345678|4111 1111 1111 1111|12 34 56|123-45-6789|192.168.1.1|' +
  'john@example.com|https://a.example/|GB82 WEST 1234 5698 7654 32|Dr. Ann Lee|5 High Street|tel |account: |Address: |' +
  ' |-|/|.|,|:|\n|1'
).split('|');
const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((chosen) => chosen.join(''));

/** Returns which characters of a text are inside one of the spans. */
function covered(length: number, spans: Iterable<{ start: number; end: number }>): boolean[] {
  const isCovered = Array.from({ length }, () => false);
  for (const { start, end } of spans) isCovered.fill(true, start, end);
  return isCovered;
}

/** Returns which characters of a text were replaced by placeholders, and checks that these restore the text. */
function replaced(original: string, options: Parameters<typeof redactTexts>[1]): boolean[] {
  const { texts, addedPrivateData } = redactTexts([original], options);
  const [redacted = ''] = texts;
  expect(resolvePlaceholders(`${redacted}\n`, (name) => addedPrivateData[name])).toBe(`${original}\n`);
  const shown = redacted.split(/\{_\{([^{}]+)\}_\}/).map((part, i) => {
    const value = i % 2 === 1 ? (addedPrivateData[part] ?? '') : part;
    return Array.from({ length: value.length }, () => i % 2 === 1);
  });
  return shown.flat();
}

describe('whatever one of the detectors finds', () => {
  it('is part of a detection', () => {
    fc.assert(
      fc.property(text, (original) => {
        const detections = detectPersonalData(original);
        const isDetected = covered(original.length, detections);
        const isFound = covered(original.length, any(original));
        expect(isFound.filter((found, i) => found && !isDetected[i])).toEqual([]);
        for (const [i, { start }] of detections.entries())
          expect(start).toBeGreaterThanOrEqual(detections[i - 1]?.end ?? 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is replaced, and the placeholders restore the text', () => {
    fc.assert(
      fc.property(text, (original) => {
        const isReplaced = replaced(original, {});
        const isFound = covered(original.length, any(original));
        expect(isFound.filter((found, i) => found && !isReplaced[i])).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is replaced where an exception does not allow it, even if it overlaps something allowed', () => {
    const whitelist = new PIIWhitelist({
      entries: [{ entityType: 'phone', justification: 'public numbers' }],
    });
    fc.assert(
      fc.property(text, (original) => {
        const isReplaced = replaced(original, { whitelist });
        const phones = Array.from(detectPhone(original));
        const isInPhone = ({ start, end }: { start: number; end: number }) =>
          phones.some((phone) => phone.start <= start && end <= phone.end);
        const found = Array.from(others(original)).filter((each) => !isInPhone(each));
        const isFound = covered(original.length, found);
        expect(isFound.filter((each, i) => each && !isReplaced[i])).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('several overlaps in a row are replaced together, as the longest of the values', () => {
  const knownValues = ['abcde', 'defgh', 'ghijklm'].map((value, i) => ({ value, name: `value_${i}` }));
  const { texts, addedPrivateData } = redactTexts(['abcdefghijklm'], { knownValues });
  expect(texts).toEqual(['{_{value_2}_}']);
  expect(addedPrivateData).toEqual({ value_2: 'abcdefghijklm' });
});

it.each([
  [{ street: 'Main Street 12' }, 'Main Street 12.05.1987', 'pii_value_1'],
  [{ iban: 'DE89 3704 0044 0532 0130 00' }, 'DE89 3704 0044 0532 0130 00 12345678', 'pii_iban_1'],
  [{ first: 'tok_9f31', second: '31-7c20' }, 'tok_9f31-7c20', 'pii_value_1'],
])('the name of private data does not stand for what it overlaps: %j', (privateData, both, key) => {
  const { texts, addedPrivateData } = redactTexts([`It is ${both} now`], { privateData });
  expect(texts).toEqual([`It is {_{${key}}_} now`]);
  expect(addedPrivateData).toEqual({ [key]: both });
});

it.each([
  ['contains a placeholder', 'Dear {_{who}_}, pin 4711', 'is {_{pii_value_1}_}!'],
  ['begins in a placeholder', 'o}_}, pin', 'is Dear {_{wh{_{pii_value_1}_} 4711!'],
  ['is inside a placeholder', '{_{who}', 'is Dear {_{who}_}, pin 4711!'],
])('a known value that %s', (_, value, shown) => {
  const text = 'is Dear {_{who}_}, pin 4711!';
  const { texts, addedPrivateData } = redactTexts([text], { knownValues: [value] });
  expect(texts).toEqual([shown]);
  expect(resolvePlaceholders(shown, (name) => addedPrivateData[name])).toBe(text);
});

describe('an exception', () => {
  const given = '+49 30 1234567 2024-01-31';

  it.each([
    ['one of two finds that overlap', '+49 30 1234567 2024', '+49 30 1234567 {_{pii_date_1}_}'],
    ['the text of both together', given, '{_{pii_phone_1}_}'],
  ])('is looked up for each find: %s', (_, value, shown) => {
    const whitelist = new PIIWhitelist({
      entries: [
        { value, justification: 'a public number' },
        { value: '+49 30 1234567', justification: 'a public number' },
      ],
    });
    expect(redactTexts([given], { whitelist }).texts).toEqual([shown]);
  });

  it('for a value allows what is found inside it too', () => {
    const text = 'mail to +4930-1234567@example.com';
    const value = '+4930-1234567@example.com';
    const whitelist = new PIIWhitelist({ entries: [{ value, justification: 'a public address' }] });
    expect(redactTexts([text]).texts).toEqual(['mail to {_{pii_email_1}_}']);
    expect(redactTexts([text], { whitelist }).texts).toEqual([text]);
  });
});
