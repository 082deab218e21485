import { anyOf, type Detector, digitsOf, labelled, matching } from './detector.js';

const letter = String.raw`\p{L}\p{M}\p{N}`;
const inLocalPart = String.raw`${letter}!#$%&'*+/=?^_\x60|~-`;

function emails(sign: string): Detector {
  return matching(
    new RegExp(
      String.raw`(?<![${inLocalPart}])(?=[^.][.${inLocalPart}]{0,63}${sign})[${inLocalPart}]{1,64}(?:\.[${inLocalPart}]{1,64}){0,31}` +
        String.raw`${sign}(?:[${letter}-]{1,63}\.){1,8}[\p{L}\p{M}]{2,24}(?![${letter}])`,
      'iu',
    ),
    (address) => !/@-|-\.|\.-/.test(address),
  );
}

const writtenEmails = emails('@');
const encodedEmails = emails('(?:@|%40)');

/**
 * Email addresses: a local part of up to 64 characters, and a domain with a top-level name. A dot before the local part and
 * two dots in it belong to the text: the address starts after them. In a web form's data, the sign is `%40`.
 */
export const detectEmail: Detector = (text) =>
  text.includes('%40') ? encodedEmails(text) : writtenEmails(text);

const international = matching(/(?<![\p{L}\p{N}+])\+\d(?:[ ./()-]{0,2}\d){6,14}(?!\d)/u);
const withExitCode = matching(
  /(?<![\p{L}\p{N}+/-]|\p{N}[.,:])\(?00 ?[1-9]\d{0,2}[ /()-]{1,2}\d(?:[ /()-]{0,2}\d){5,12}(?![\p{L}\p{N}]|[.-]\d)/u,
);
const northAmerican = matching(
  /(?<![\p{L}\p{N}+/-]|\p{N}\.)(?:1[ .-])?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4}(?![\p{L}\p{N}]|-\d)/u,
);
const withTrunkPrefix = matching(
  /(?<![\p{L}\p{N}+/-]|\p{N}[.,:])(?:\(0\d{1,4}\)|\(?0\d{1,4}\)?[ /-])\d(?:[ -]?\d){4,8}(?![\p{L}\p{N}]|[.-]\d)/u,
  // Three, two and four digits are the form of a social security number, even of one that was never issued.
  (number) => digitsOf(number).length >= 9 && !/^\d{3}[ -]\d{2}[ -]\d{4}$/.test(number),
);
const phoneValue = String.raw`\+?\(?\d(?:[ ./()-]{0,2}\d){6,14}`;

/** Phone numbers: international with `+`, or `00` and groups; North American; national with a leading 0; any after a label. */
export const detectPhone: Detector = anyOf(
  international,
  withExitCode,
  northAmerican,
  withTrunkPrefix,
  labelled(
    'tele?phone|tel[eé]fon[eo]?|tel|phone|mobile|cell(?:phone)?|handy|whatsapp|call(?: me)? (?:at|on)|text(?: me)? (?:at|on)',
    phoneValue,
    7,
  ),
);

/** Fax numbers: any after a label. */
export const detectFax: Detector = labelled('tele?fax|fax', phoneValue, 7);

const trailing: ReadonlySet<string> = new Set('.,;:!?\'"*');

const webAddresses = matching(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"`{}|\\^]{2,2048}/iu);

/** Web addresses with `http`, `https` or `www`, without the punctuation of their sentence. */
export const detectUrl: Detector = function* detectUrl(text) {
  for (const { start, end } of webAddresses(text)) {
    yield { start, end: start + lengthOfAddress(text.slice(start, end)) };
  }
};

/** If more brackets close than open, those at the end are not part of the address. */
function lengthOfAddress(text: string): number {
  let unopened = countOf(text, ')]') - countOf(text, '([');
  for (let length = text.length; ; length -= 1) {
    const last = text.charAt(length - 1);
    if (unopened > 0 && (last === ')' || last === ']')) unopened -= 1;
    else if (!trailing.has(last)) return length;
  }
}

function countOf(text: string, letters: string): number {
  return Array.from(text).filter((letter) => letters.includes(letter)).length;
}
