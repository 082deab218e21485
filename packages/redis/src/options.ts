/** @throws RangeError unless it is a whole number from a smallest one. */
export function wholeFrom(smallest: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  throw new RangeError(`${name} must be a whole number from ${smallest}, got ${String(value)}`);
}
