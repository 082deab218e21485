import { expect } from 'vitest';
import { detectPersonalData, type PersonalDataType } from '../src/index.js';

/** The text without its marks, and what they mark. */
function readMarked(marked: string): { text: string; found: string[] } {
  return {
    text: marked.replaceAll(/[[\]]/g, ''),
    found: Array.from(marked.matchAll(/\[([^\]]*)\]/g), ([, found]) => found ?? ''),
  };
}

/** Checks that what is marked with `[…]` is all that is found in a text, and of this kind. */
export function expectMarked(type: PersonalDataType, marked: string): void {
  const { text, found } = readMarked(marked);
  const detected = detectPersonalData(text);
  expect(detected.map(({ start, end }) => text.slice(start, end))).toEqual(found);
  for (const detection of detected) expect(detection.type).toBe(type);
}
