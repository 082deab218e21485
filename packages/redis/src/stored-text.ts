export function given(text: string | undefined): string {
  if (!text) throw new TypeError('a field is missing');
  return text;
}

/** A time that a Date can have; another could not be shown. */
export function timeOf(text: string | undefined): number {
  const timeMs = Number(given(text));
  if (!(Math.abs(timeMs) <= 8.64e15)) throw new RangeError('not a time');
  return timeMs;
}

export function countOf(text: string | undefined): number {
  const count = Number(given(text));
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('not a count');
  return count;
}
