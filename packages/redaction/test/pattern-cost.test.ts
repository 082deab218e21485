import { describe, expect, it } from 'vitest';
import { patternCost } from '../src/pattern-cost.js';

describe('patternCost', () => {
  it.each([
    ['abc', 0],
    ['[a-z()*]', 0],
    ['[a]b?', 1],
    ['[^]a?', 1],
    ['[a]*', Math.log2(257)],
    [String.raw`[\]a?]`, 0],
    [String.raw`[\]]a?`, 1],
    [String.raw`\d\.\(\*`, 0],
    [String.raw`\d{1,4}`, 2],
    [String.raw`\u0041{1,2}`, 1],
    [String.raw`\u{41}*`, Math.log2(257)],
    [String.raw`\p{L}{1,2}`, 1],
    ['a?', 1],
    ['a?b??', 2],
    ['a{3}', 0],
    ['a{1,4}', 2],
    ['(?:a?){3}', 3],
    ['(a|b)', 1],
    ['a|b|c|d', 2],
    ['a?b?|c', 3],
    ['(?<name>a{1,2}){2}', 2],
    ['a*', Math.log2(257)],
    ['a+', Math.log2(257)],
    ['a{2,}', Math.log2(257)],
    ['(?:ab)*', Math.log2(257)],
    ['(a?)*', 256 + Math.log2(257)],
  ])('returns the cost of %s as a power of two: %f', (pattern, cost) => {
    expect(patternCost(pattern)).toBeCloseTo(cost, 5);
  });

  it('returns a cost for up to 100 nested groups, and for any number side by side', () => {
    const nested = (groups: number) => '('.repeat(groups) + ')'.repeat(groups);
    expect(patternCost(nested(100))).toBe(0);
    expect(patternCost(nested(101))).toBeUndefined();
    expect(patternCost('(a)'.repeat(101))).toBe(0);
  });

  it.each([
    '(?=a)',
    '(?=<a>)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    String.raw`(a)\1`,
    String.raw`(?<n>a)\k<n>`,
    '(?i:a)',
    'a)|(?:(a+)+b',
  ])('returns undefined for %s', (pattern) => {
    expect(patternCost(pattern)).toBeUndefined();
  });
});
