import { describe, expect, it } from 'vitest';
import { detectPersonalData } from '../../src/index.js';
import { expectMarked } from '../marked-text.js';

/** Appends the check digit of payment cards. */
function withCheckDigit(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, at) => (at % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, weighed) => total + (weighed > 9 ? weighed - 9 : weighed), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

describe('a card', () => {
  it.each([13, 14, 15, 16, 17, 18, 19])('is found with %i digits', (length) => {
    const number = withCheckDigit('4012888888881881888'.slice(0, length - 1));
    expectMarked('credit_card', `[${number}], a${number}, 1.${number}, ${number}a`);
  });

  it.each(['4111 1111 1111 1111', '5500-0000-0000-0004', '4222 2222 2222 2'])(
    'is found without the security code after it: %s',
    (number) => {
      const between = number.charAt(4);
      expectMarked('credit_card', `[${number}]${between}123, [${number}]${between}123${between}12/27`);
    },
  );

  it.each([12, 20])('is not found with %i digits', (length) => {
    expectMarked('credit_card', withCheckDigit('40128888888818818881'.slice(0, length - 1)));
  });

  it.each([
    '4',
    '5',
    '6',
    '22',
    '23',
    '24',
    '25',
    '26',
    '27',
    '30',
    '31',
    '34',
    '35',
    '36',
    '37',
    '38',
    '39',
  ])('may start with %s', (start) =>
    expectMarked('credit_card', `[${withCheckDigit(`${start}00123456789012`.slice(0, 15))}]`),
  );

  it.each(['1', '20', '21', '28', '29', '7', '8', '9'])('cannot start with %s', (start) =>
    expectMarked('credit_card', withCheckDigit(`${start}00123456789012`.slice(0, 15))),
  );

  it.each([13, 14, 15, 16, 19])('is found in groups, with %i digits', (length) => {
    const number = withCheckDigit('4012888888881881888'.slice(0, length - 1));
    for (const sign of [' ', '-', '.']) {
      const groups =
        number
          .match(/^(\d{4})(\d{4})(\d{4})(\d{1,4})(\d{3})?$/)
          ?.slice(1)
          .filter(Boolean) ?? [];
      const printed = groups.join(sign);
      expectMarked('credit_card', `[${printed}], a${printed}`);
    }
  });

  it.each(['34000000000000', '3700000000000'])(
    'is found in the groups of American Express and Diners Club: %s',
    (start) => {
      const number = withCheckDigit(start);
      for (const sign of [' ', '-', '.']) {
        const printed = [number.slice(0, 4), number.slice(4, 10), number.slice(10)].join(sign);
        expectMarked('credit_card', `[${printed}], a${printed}, ${printed}a`);
      }
    },
  );
});

describe('an IBAN', () => {
  /** Returns an IBAN of this country and length with valid check digits. */
  function ibanOf(country: string, length: number): string {
    const account = '0123456789012345678901234567890'.slice(0, length - 4);
    const digits = `${account}${country}00`.replaceAll(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    );
    return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
  }

  it.each([
    ['NO', 15],
    ['BE', 16],
    ['DK', 18],
    ['NL', 18],
    ['AT', 20],
    ['CH', 21],
    ['DE', 22],
    ['GB', 22],
    ['IE', 22],
    ['ES', 24],
    ['SE', 24],
    ['CZ', 24],
    ['PT', 25],
    ['FR', 27],
    ['IT', 27],
    ['PL', 28],
    ['BR', 29],
    ['MT', 31],
    ['RU', 33],
  ])('of %s has %i characters', (country, length) => {
    const iban = ibanOf(country, length);
    const printed = iban.replaceAll(/.{4}(?=.)/g, '$& ');
    expectMarked(
      'iban',
      `[${iban}], [${printed}]; [${iban.toLowerCase()}], [${printed.replaceAll(' ', '-')}]`,
    );
    for (const wrong of [`a${iban}`, `1${iban}`, `${iban}a`, `${iban}1`, iban.replace(/\d{2}/, '00')])
      expect(detectPersonalData(wrong).filter(({ type }) => type === 'iban')).toEqual([]);
  });

  it.each(['GB82 WEST 1234 5698 7654 3', 'GB82  WEST12345698765432', 'GB82 WEST1234_5698765432'])(
    'is not found in %s',
    (text) => expect(detectPersonalData(text).filter(({ type }) => type === 'iban')).toEqual([]),
  );

  it('is not found in words', () =>
    expectMarked('iban', 'the is404 flag for unmatched paths, and [MT84 MALT 0110 0001 2345 MTLC AST0 01S]'));

  it('is not found in a UUID', () => {
    expectMarked('iban', 'ee342b8c-04e4-4110-82a4-0667553602dc, cdc07866-ea17-40d1-be54-529ae4d86076');
    expectMarked('iban', '[ee342b8c-04e4-4110-82a4], 12345678-[be54-529ae4d86076], [BE54-529ae4d86076]-2024');
  });
});

it.each([
  [
    'swift',
    'swift [DEUTDEFF], SWIFT/BIC: [DEUTDEFF500], BIC [DEUTDE2H]; BIC deutdeff, BIC DEUTDEF, BIC DEUTDEFF50',
  ],
  [
    'account_id',
    'account [1234], accounts: [1234], acct [1234], a/c [1234], Konto [1234], routing [1234], sort code [12-34-56]',
  ],
  [
    'account_id',
    'account [ABCD12 34-56], account [9A9A99], account no. [1 2 3 4], account [a-1-2-3-4]; account 123, account ABC123',
  ],
  [
    'account_id',
    `account: [${Array.from({ length: 34 }, () => '1').join(' ')}], account: [${'1'.repeat(34)}], account: ${'1'.repeat(38)}x`,
  ],
] as const)('%s: %s', (type, marked) => expectMarked(type, marked));
