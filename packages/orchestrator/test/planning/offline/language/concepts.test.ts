import { describe, expect, it } from 'vitest';
import { ideasOf, ideasOfTyped } from '../../../../src/planning/offline/language/concepts.js';

describe('ideasOfTyped', () => {
  it.each([
    ['bigest', 'biggest'],
    ['lagrest', 'largest'],
    ['commts', 'commits'],
    ['serrch', 'search'],
    ['reportt', 'report'],
  ])('reads the typo %s as %s', (typed, meant) => {
    expect(ideasOfTyped(typed)).toEqual(expect.arrayContaining([...ideasOf(meant)]));
  });
  it.each(['lanes', 'torder', 'tropes', 'chraeg', 'largest'])('does not correct %s', (typed) => {
    expect(ideasOfTyped(typed)).toEqual(ideasOf(typed));
  });
});
