import { describe, expect, it } from 'vitest';
import { detectPersonalData, redactTexts } from '../src/index.js';

/** The digits from 0 to 9 of every script that the runtime knows. */
const scripts = Intl.supportedValuesOf('numberingSystem').flatMap((name) => {
  const format = new Intl.NumberFormat('en', { numberingSystem: name, useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, value) => format.format(value));
  return /^\p{Nd}{10}$/u.test(digits.join('')) ? [[name, digits] as const] : [];
});

/** Writes a text with other digits. */
function inScript(text: string, digits: readonly string[]): string {
  return text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? '');
}

it('the scripts tested include those with digits of one and of two UTF-16 units', () => {
  expect(new Set(scripts.map(([, digits]) => digits.join('').length))).toEqual(new Set([10, 20]));
  expect(scripts.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'latn',
      'arab',
      'arabext',
      'deva',
      'beng',
      'thai',
      'fullwide',
      'mathbold',
      'mathmono',
    ]),
  );
});

describe.each(scripts)('in the digits of %s', (_, digits) => {
  it.each([
    ['credit_card', '4111111111111111'],
    ['credit_card', '5500-0000-0000-0004'],
    ['phone', '+49 30 1234567'],
    ['phone', '(030) 9876543'],
    ['ssn', '123-45-6789'],
    ['date', '31.01.2024'],
    ['ip_address', '192.168.0.17'],
  ])('a %s is found: %s', (type, value) => {
    const written = inScript(value, digits);
    const before = `${digits[7]} \u{1f600} is `;
    expect(detectPersonalData(`${before}${written} \u{1f600}.`)).toEqual([
      { type, start: before.length, end: before.length + written.length },
    ]);
  });

  it('two numbers are replaced, and nothing around them', () => {
    const text = inScript('1 a@b.example, 4111111111111111; 2 +49 30 1234567', digits);
    const { texts, addedPrivateData } = redactTexts([text]);
    const [one, two] = [digits[1], digits[2]];
    expect(texts).toEqual([`${one} {_{pii_email_1}_}, {_{pii_credit_card_1}_}; ${two} {_{pii_phone_1}_}`]);
    expect(addedPrivateData['pii_credit_card_1']).toBe(inScript('4111111111111111', digits));
  });

  it('other numbers are not personal data', () => {
    const text = inScript('1,234,567.89 of 4111111111111112 on 32.01.2024 at 12:30', digits);
    expect(detectPersonalData(text)).toEqual([]);
  });
});

it.each([
  ['رقم البطاقة ', '٤١١١ ١١١١ ١١١١ ١١١١', ' شكرا', 'credit_card'],
  ['هاتف:', '+٤٩ ٣٠ ١٢٣٤٥٦٧', '.', 'phone'],
  ['شماره ', '۰۲۱ ۱۲۳۴۵۶۷۸', ' است', 'phone'],
  ['कार्ड', '४१११-११११-११११-११११', 'है', 'credit_card'],
  ['โทร', '๐๒-๑๒๓๔๕๖๗๘', 'ครับ', 'phone'],
  ['', '٤١١١1111١١١١1111', '', 'credit_card'],
])('is found among other words of its language: %s%s%s', (before, value, after, type) => {
  expect(detectPersonalData(before + value + after)).toEqual([
    { type, start: before.length, end: before.length + value.length },
  ]);
});

it.each([
  ['email', 'john@exam\u200bple.com'],
  ['email', 'jo\u00adhn@example.com'],
  ['credit_card', '4111\u200b1111\u200b1111\u200b1111'],
  ['credit_card', '4111\u2060 1111\ufeff 1111 11\u{e0020}11'],
  ['credit_card', '\u{1d7d2}\u200d\u{1d7cf}\u{1d7cf}\u{1d7cf} 1111 1111 1111'],
  ['phone', '+49\u200e 30 1234567'],
  ['ssn', '123\u00ad-45-6789'],
])('a %s is found with invisible characters in it: %j', (type, value) => {
  for (const before of ['is ', '\u202a', '\u200b\u{1f600}', 'a\u200c '])
    for (const after of ['\u202c', ' \u200d.'])
      expect(detectPersonalData(before + value + after)).toEqual([
        { type, start: before.length, end: before.length + value.length },
      ]);
});

it('an invisible character between a word and a number still separates them', () => {
  const text = 'card\u200b4111111111111111\u200bok';
  expect(detectPersonalData(text)).toEqual([{ type: 'credit_card', start: 5, end: 21 }]);
});

it.each([
  ['phone', '555–234–5678'],
  ['phone', '(030)–1234567'],
  ['phone', '030—1234567'],
  ['phone', '＋49 30 1234567'],
  ['ssn', '123–45–6789'],
  ['credit_card', '4111−1111−1111−1111'],
  ['date', '2024–01–31'],
])('a %s is found with dashes or a full-width plus: %s', (type, value) => {
  expect(detectPersonalData(`is ${value}.`)).toEqual([{ type, start: 3, end: 3 + value.length }]);
});

it.each(['100–200', '2024–2025', '12:30–13:45', 'pages 10–12', 'a ＋ 1234567', '3＋4'])(
  'a dash or plus in %s makes no personal data',
  (text) => expect(detectPersonalData(text)).toEqual([]),
);
