import { describe, expect, it } from 'vitest';
import { patternCost } from '../src/pattern-cost.js';

describe('the ways to try, as a power of two', () => {
  it.each([
    ['abc', 0],
    ['[a-z()*]', 0],
    [String.raw`\d\.\(\*`, 0],
    ['a?', 1],
    ['a?b??', 2],
    ['a{3}', 0],
    ['a{1,4}', 2],
    ['(?:a?){3}', 3],
    ['(a|b)', 1],
    ['a|b|c|d', 2],
    ['(?<name>a{1,2}){2}', 2],
    ['a*', Math.log2(257)],
    ['a+', Math.log2(257)],
    ['a{2,}', Math.log2(257)],
    ['(?:ab)*', Math.log2(257)],
    ['(a?)*', 256 + Math.log2(257)],
  ])('%s: %f', (pattern, cost) => {
    expect(patternCost(pattern)).toBeCloseTo(cost, 5);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    String.raw`(a)\1`,
    String.raw`(?<n>a)\k<n>`,
    '(?i:a)',
    'a)|(?:(a+)+b',
  ])('not known: %s', (pattern) => {
    expect(patternCost(pattern)).toBeUndefined();
  });
});
