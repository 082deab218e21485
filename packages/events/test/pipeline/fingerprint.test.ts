import { expect, it } from 'vitest';
import { fingerprintOf, fingerprintOfArguments } from '../../src/pipeline/fingerprint.js';

it('a string keeps its fingerprint in every version, because logs contain fingerprints', () => {
  expect(['', 'a', 'Which?\ncity', '🙂'].map(fingerprintOf)).toEqual([
    'wvjl67o803',
    '262p94epp1d',
    'rbhtq71k88',
    '1l8r8ujuopz',
  ]);
});

it('100 000 different strings have different fingerprints', () => {
  const count = 100_000;
  const fingerprints = Array.from({ length: count }, (_, i) => fingerprintOf(`${i}`));
  expect(new Set(fingerprints).size).toBe(count);
});

it('arguments have the same fingerprint in any order of their keys, at any depth', () => {
  const one = { city: 'Oslo', days: [{ from: 1, to: null }], unit: undefined };
  const other = { unit: undefined, days: [{ to: null, from: 1 }], city: 'Oslo' };
  expect(fingerprintOfArguments(one)).toBe(fingerprintOfArguments(other));
});

it.each([{ days: [2, 1] }, { days: ['1', '2'] }, { days: { 0: 1, 1: 2 } }, { day: [1, 2] }, { days: null }])(
  'arguments %o do not have the fingerprint of { days: [1, 2] }',
  (args) => {
    expect(fingerprintOfArguments(args)).not.toBe(fingerprintOfArguments({ days: [1, 2] }));
  },
);

it.each([[{}], [null], [undefined], ['text'], [[1]]])('%o has no fingerprint as arguments', (args) => {
  expect(fingerprintOfArguments(args)).toBeUndefined();
});
