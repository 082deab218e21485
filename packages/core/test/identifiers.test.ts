import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createStableId } from '../src/identifiers.js';

const vectors: { id: string; input: { string: string }; expected: { id: string } }[] = JSON.parse(
  readFileSync(new URL('./vectors/ids.json', import.meta.url), 'utf8'),
).filter((vector: { input: object }) => 'string' in vector.input);

it.each(vectors)('gives $id the id that the original gives it', ({ input, expected }) => {
  expect(createStableId(input.string)).toBe(expected.id);
});

it('reads recorded ids at all', () => {
  expect(vectors.length).toBeGreaterThan(15);
});
