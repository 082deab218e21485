import { describe, expect, it } from 'vitest';
import { mentionedValues } from '../../../../src/planning/offline/mentions/enum-values.js';

const said = (members: readonly string[], text: string) =>
  mentionedValues({ enum: [...members] }, text).map(({ value }) => value);

describe('mentionedValues', () => {
  it.each([
    ['values by their own words', ['in_transit', 'Delivered', 'lost'], 'what is delivered or in transit', 2],
    ['values by words with other endings', ['shipping', 'paid'], 'All that was shipped', 1],
    ['values by words for their codes', ['EUR', 'USD', 'asc'], 'in euros, oldest first', 2],
    ['a currency by its sign', ['EUR', 'GBP'], '20€', 1],
    ['values in any script', ['東京', '大阪', 'Größe'], 'weather in 大阪', 1],
    ['no value inside another word', ['cat', 'form'], 'concatenate the platform', 0],
  ])('finds %s', (_by, members, text, count) => {
    expect(said(members, text)).toHaveLength(count);
  });

  it('finds values named like inherited properties of objects', () => {
    const members = ['constructor', '__proto__', 'method'];
    expect(said(members, 'every constructor and method')).toEqual(['constructor', 'method']);
  });

  it('does not find very long values', () => {
    const long = 'a b '.repeat(20);
    expect(said([long], `x ${long}`)).toEqual([]);
  });
});
