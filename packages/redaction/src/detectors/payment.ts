import { passesLuhn, passesMod97 } from './checksums.js';
import { anyOf, type Detector, digitsOf, labelled, matching, type Span } from './detector.js';

function isCard(number: string): boolean {
  const digits = digitsOf(number);
  return /^(?:[456]|2[2-7]|3[0-9])/.test(digits) && !/^(\d)\1+$/.test(digits) && passesLuhn(digits);
}

/** Payment cards: 13 to 19 digits, together or in the groups printed on cards, that start as one and pass Luhn. */
export const detectCard: Detector = anyOf(
  matching(/(?<![\p{L}\d]|\d\.)\d{13,19}(?![\p{L}\d])/u, isCard),
  // With and without a last group of three, because three digits after a card may also be its security code.
  matching(/(?<![\p{L}\d])\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?![\p{L}\d])/u, isCard),
  matching(/(?<![\p{L}\d])\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}\1\d{3}(?![\p{L}\d])/u, isCard),
  matching(/(?<![\p{L}\d])3\d{3}([ -])\d{6}\1\d{4,5}(?![\p{L}\d])/u, isCard),
  matching(
    /(?<![\p{L}\d]|\d\.)(?:\d{4}(?:\.\d{4}){2}\.\d{1,4}(?:\.\d{3})?|3\d{3}\.\d{6}\.\d{4,5})(?![\p{L}\d]|\.\d)/u,
    isCard,
  ),
);

/** The length of an IBAN, by country (SWIFT registry). */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const ibanStarts = matching(/(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?=[ -]?[a-z0-9])/iu);

/** IBANs of all countries in the registry, in groups or not, with the country's length and valid check digits. */
export const detectIban: Detector = function* detectIban(text) {
  for (const { start } of ibanStarts(text)) {
    const length = ibanLengths.get(text.slice(start, start + 2).toUpperCase());
    const end = length === undefined ? undefined : endOfCode(text, start, length);
    if (end === undefined || !isIban(text.slice(start, end))) continue;
    if (!isInUuid(text, { start, end })) yield { start, end };
  }
};

/** Every bank numbers its accounts with more digits than the words after an `es2022` or `is404` have. */
function isIban(printed: string): boolean {
  const code = printed.replace(/[ -]/g, '').toUpperCase();
  return digitsOf(code).length >= 8 && passesMod97(code);
}

const UUID_LENGTH = 36;

/** One UUID in six thousand has groups that read as a Belgian or Estonian IBAN with valid check digits. */
function isInUuid(text: string, { start, end }: Span): boolean {
  const from = Math.max(0, start - UUID_LENGTH);
  const around = text.slice(from, end + UUID_LENGTH);
  return Array.from(around.matchAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi)).some(
    ({ index }) => from + index <= start && end <= from + index + UUID_LENGTH,
  );
}

/** Returns the end of a code of `length` letters and digits, with single spaces or hyphens; undefined for any other. */
function endOfCode(text: string, start: number, length: number): number | undefined {
  let at = start;
  for (let found = 0; found < length; at += 1) {
    if (/[a-z0-9]/i.test(text.charAt(at))) found += 1;
    else if (!/[ -]/.test(text.charAt(at)) || !/[a-z0-9]/i.test(text.charAt(at - 1))) return undefined;
  }
  return /[\p{L}\p{N}]/u.test(text.charAt(at)) ? undefined : at;
}

/** Bank codes (ISO 9362), in capitals, after a label. */
export const detectSwift: Detector = labelled(
  'swift(?:/bic)?|bic',
  '[a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?',
  0,
  (code) => code === code.toUpperCase(),
);

/** Account and routing numbers after a label. */
export const detectAccount: Detector = labelled(
  'accounts?|acct|a/c|konto|routing|sort',
  String.raw`[a-z]{0,4}\d(?:[ -]?\d){3,33}|[a-z0-9](?:-?[a-z0-9]){3,33}`,
  4,
);
