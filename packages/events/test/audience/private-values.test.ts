import { describe, expect, it } from 'vitest';
import { PrivateValues } from '../../src/audience/private-values.js';

describe('the matcher of private values', () => {
  it.each([
    ['texts', 'Anna Berg'],
    ['objects', { name: 'Anna Berg', phones: ['0151 2345'] }],
  ])('is made once for %s that stay the same', (_, value) => {
    const known = new PrivateValues(() => [{ name: 'client', value: structuredClone(value) }]);
    const matcher = known.matcher();
    expect(matcher?.replace('Anna Berg')).toBe('{_{client}_}');
    expect(known.matcher()).toBe(matcher);
  });

  it.each([
    ['a text', (person: { names: string[] }) => person.names.splice(0, 1, 'Berta Tal')],
    ['one more text', (person: { names: string[] }) => person.names.push('Berta Tal')],
  ])('is made anew when %s is changed in place', (_, change) => {
    const person = { names: ['Anna Berg'] };
    const known = new PrivateValues(() => [{ name: 'client', value: person }]);
    expect(known.matcher()?.replace('Berta Tal')).toBe('Berta Tal');
    change(person);
    expect(known.matcher()?.replace('Berta Tal')).toBe('{_{client}_}');
  });

  it('is made anew when a name changes', () => {
    let name = 'one';
    const known = new PrivateValues(() => [{ name, value: ['Anna Berg'] }]);
    expect(known.matcher()?.replace('Anna Berg')).toBe('{_{one}_}');
    name = 'two';
    expect(known.matcher()?.replace('Anna Berg')).toBe('{_{two}_}');
  });

  it.each([
    ['a promise', Promise.resolve([]), 'privateValues must give a list of { name, value }, got object'],
    ['nothing', undefined, 'privateValues must give a list of { name, value }, got undefined'],
    ['an entry that is a bare text', ['Anna Berg'], 'Private value 1 has no text as its name'],
    [
      'an entry that is null',
      [{ name: 'client', value: 'x' }, null],
      'Private value 2 has no text as its name',
    ],
  ])('refuses %s: the values would stand in clear', (_, given, message) => {
    const known = new PrivateValues(() => given as never);
    for (let times = 0; times < 2; times += 1)
      expect(() => known.matcher()).toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
      );
  });

  it('is none while there are no values', () => {
    const values: { name: string; value: string }[] = [];
    const known = new PrivateValues(() => values);
    expect(known.matcher()).toBeUndefined();
    values.push({ name: 'client', value: 'Anna Berg' });
    expect(known.matcher()?.has('Anna Berg')).toBe(true);
    values.pop();
    expect(known.matcher()).toBeUndefined();
  });
});
