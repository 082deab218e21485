import { describe, expect, it } from 'vitest';
import { ideasOf, ideasOfTyped } from '../../../src/planning/offline/concepts.js';

describe('ideasOfTyped', () => {
  it.each([
    ['bigest', 'biggest'],
    ['lagrest', 'largest'],
    ['commts', 'commits'],
    ['serrch', 'search'],
    ['reportt', 'report'],
  ])('takes %s for %s', (typed, meant) => {
    expect(ideasOfTyped(typed)).toEqual(expect.arrayContaining([...ideasOf(meant)]));
  });
  it.each(['lanes', 'torder', 'tropes', 'chraeg', 'largest'])('takes %s as it stands', (typed) => {
    expect(ideasOfTyped(typed)).toEqual(ideasOf(typed));
  });
});
