/** A stored text that may be neither missing nor empty. @throws TypeError */
export function requiredText(text: string | undefined): string {
  if (!text) throw new TypeError('a field is missing');
  return text;
}

/** A time that a Date can have; another could not be shown. @throws TypeError or RangeError */
export function timeOf(text: string | undefined): number {
  const timeMs = Number(requiredText(text));
  if (!(Math.abs(timeMs) <= 8.64e15)) throw new RangeError('not a time');
  return timeMs;
}

/** A whole number from 0. @throws TypeError or RangeError */
export function countOf(text: string | undefined): number {
  const count = Number(requiredText(text));
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('not a count');
  return count;
}
