import { anyOf, type Detector, matching } from './detector.js';

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

function isIsoDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split(/\D/).map(Number);
  return year >= 1000 && isDay(year, month, day);
}

/** Day first or month first: one of the two must be a calendar date. */
function isWrittenDay(date: string): boolean {
  const [first = 0, second = 0, year = 0] = date.split(/\D/).map(Number);
  return isDay(year, second, first) || isDay(year, first, second);
}

const before = String.raw`(?<![\p{L}\p{N}_/-]|[\p{L}\p{N}]\.)`;
const after = String.raw`(?![\p{L}\p{N}_]|[./-]\d)`;
/** Folders and files are named by dates, year first. */
const afterPath = String.raw`(?![\p{L}\p{N}_/]|[.-][\p{L}\p{N}])`;
const isoDay = String.raw`\d{4}-\d{2}-\d{2}`;
const months =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const day = String.raw`(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|\.)?`;

/** Calendar dates: `2024-01-31`, `2024/01/31`, `31.01.2024`, `1/31/2024`, `31-1-24` and, with the English month, in words. */
export const detectDate: Detector = anyOf(
  matching(new RegExp(`${before}${isoDay}${after}`, 'u'), isIsoDay),
  matching(new RegExp(String.raw`${before}(?:19|20)\d{2}/\d{1,2}/\d{1,2}${afterPath}`, 'u'), isIsoDay),
  matching(new RegExp(String.raw`${before}\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}${after}`, 'u'), isWrittenDay),
  matching(new RegExp(String.raw`${before}\d{1,2}([/-])\d{1,2}\1\d{2}${after}`, 'u'), isWrittenDay),
  matching(new RegExp(String.raw`${before}(?:${months})\.? ${day},? (?:19|20)\d{2}${after}`, 'iu')),
  matching(new RegExp(String.raw`${before}${day} (?:of )?(?:${months})\.?,? (?:19|20)\d{2}${after}`, 'iu')),
);

/** ISO 8601 dates with a time. */
export const detectDateTime: Detector = matching(
  new RegExp(
    String.raw`${before}${isoDay}[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\p{L}\p{N}_])`,
    'u',
  ),
  isIsoDay,
);
