import { describe, expect, it } from 'vitest';
import { saidValues } from '../../../src/planning/offline/enum-values.js';

const said = (members: readonly string[], text: string) =>
  saidValues({ enum: [...members] }, text).map(({ value }) => value);

describe('the members of an enumeration that a text says', () => {
  it.each([
    ['their own words', ['in_transit', 'Delivered', 'lost'], 'what is delivered or in transit', 2],
    ['other endings of them', ['shipping', 'paid'], 'All that was shipped', 1],
    ['words for codes', ['EUR', 'USD', 'asc'], 'in euros, oldest first', 2],
    ['a sign', ['EUR', 'GBP'], '20€', 1],
    ['words in any letters', ['東京', '大阪', 'Größe'], 'weather in 大阪', 1],
    ['a part of another word', ['cat', 'form'], 'concatenate the platform', 0],
  ])('are found by %s', (_by, members, text, count) => {
    expect(said(members, text)).toHaveLength(count);
  });

  it('may be called as what every object of JavaScript has', () => {
    const members = ['constructor', '__proto__', 'method'];
    expect(said(members, 'every constructor and method')).toEqual(['constructor', 'method']);
  });

  it('are not said when they are longer than anybody would say', () => {
    const long = 'a b '.repeat(20);
    expect(said([long], `x ${long}`)).toEqual([]);
  });
});
