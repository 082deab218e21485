import { expect } from 'vitest';
import { detectPersonalData, type PersonalDataType } from '../src/index.js';

/** Splits a marked text into the plain text and its marked parts. */
function readMarked(marked: string): { text: string; found: string[] } {
  return {
    text: marked.replaceAll(/[[\]]/g, ''),
    found: Array.from(marked.matchAll(/\[([^\]]*)\]/g), ([, found]) => found ?? ''),
  };
}

/** Checks that exactly the parts marked with `[…]` are found, and that all are of this type. */
export function expectMarked(type: PersonalDataType, marked: string): void {
  const { text, found } = readMarked(marked);
  const detected = detectPersonalData(text);
  expect(detected.map(({ start, end }) => text.slice(start, end))).toEqual(found);
  for (const detection of detected) expect(detection.type).toBe(type);
}
