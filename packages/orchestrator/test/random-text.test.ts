import { expect, it } from 'vitest';
import { randomText } from '../src/random-text.js';

it('returns distinct strings of letters and digits of the requested length', () => {
  const texts = Array.from({ length: 2000 }, () => randomText(22));
  expect(texts.every((text) => /^[A-Za-z0-9]{22}$/.test(text))).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
});

it('uses all letters and digits about equally often', () => {
  const counts = new Map<string, number>();
  for (const letter of randomText(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Six standard deviations from the expected 1000.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(190);
});
