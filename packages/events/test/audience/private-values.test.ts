import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { PrivateValues } from '../../src/audience/private-values.js';

describe('the matcher of private values', () => {
  it.each([
    ['strings', 'Anna Berg'],
    ['objects', { name: 'Anna Berg', phones: ['0151 2345'] }],
  ])('is created once for %s that stay the same', (_, value) => {
    const known = new PrivateValues(() => [{ name: 'client', value: structuredClone(value) }]);
    const matcher = known.matcher();
    expect(matcher?.replace('Anna Berg')).toBe('{_{client}_}');
    expect(known.matcher()).toBe(matcher);
  });

  it.each([
    ['a string is replaced', (person: { names: string[] }) => person.names.splice(0, 1, 'Berta Tal')],
    ['a string is added', (person: { names: string[] }) => person.names.push('Berta Tal')],
  ])('is created again when %s in place', (_, change) => {
    const person = { names: ['Anna Berg'] };
    const known = new PrivateValues(() => [{ name: 'client', value: person }]);
    expect(known.matcher()?.replace('Berta Tal')).toBe('Berta Tal');
    change(person);
    expect(known.matcher()?.replace('Berta Tal')).toBe('{_{client}_}');
  });

  it.each([
    ['a name', { name: 'one', value: 'Anna Berg' }, { name: 'two', value: 'Anna Berg' }],
    ['the name of a list', { name: 'one', value: ['Anna Berg'] }, { name: 'two', value: ['Anna Berg'] }],
    ['a value', { name: 'one', value: 'Anna Berg' }, { name: 'one', value: 'Berta Tal' }],
    ['both', { name: 'one', value: 'Anna Berg' }, { name: 'two', value: 'Berta Tal' }],
  ])('is created again when %s changes', (_, before, after) => {
    let current = before;
    const known = new PrivateValues(() => [current]);
    expect(known.matcher()?.replace(`${before.value}`)).toBe('{_{one}_}');
    current = after;
    expect(known.matcher()?.replace(`${after.value}`)).toBe(`{_{${after.name}}_}`);
  });

  it.each([
    [
      'a promise',
      Promise.resolve([]),
      'privateValues must return an iterable of { name, value }, got object',
    ],
    ['undefined', undefined, 'privateValues must return an iterable of { name, value }, got undefined'],
    [
      'an entry that is a string',
      ['Anna Berg'],
      'Private value 1 must be { name, value } with a string as its name',
    ],
    [
      'an entry that is null',
      [{ name: 'client', value: 'x' }, null],
      'Private value 2 must be { name, value } with a string as its name',
    ],
  ])('refuses %s, because the values would not be hidden', (_, given, message) => {
    const known = new PrivateValues(() => given as never);
    for (let times = 0; times < 2; times += 1)
      expect(() => known.matcher()).toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
      );
  });

  it('is undefined while there are no values', () => {
    const values: { name: string; value: string }[] = [];
    const known = new PrivateValues(() => values);
    expect(known.matcher()).toBeUndefined();
    values.push({ name: 'client', value: 'Anna Berg' });
    expect(known.matcher()?.has('Anna Berg')).toBe(true);
    values.pop();
    expect(known.matcher()).toBeUndefined();
  });

  it('is shared by all that have the same values, because a large one is slow to create', () => {
    const agent = Array.from({ length: 20 }, (_, i) => ({ name: `client_${i}`, value: `Anna Berg ${i}` }));
    const bridges = [1, 2, 3].map(() => new PrivateValues(() => [...agent]));
    const [first, ...others] = bridges.map((values) => values.matcher());
    expect(first?.has('Anna Berg 19')).toBe(true);
    for (const other of others) expect(other).toBe(first);
    agent.push({ name: 'client_20', value: 'Berta Tal' });
    const [next, ...rest] = bridges.map((values) => values.matcher());
    expect(next?.has('Berta Tal')).toBe(true);
    for (const other of rest) expect(other).toBe(next);
  });

  it('is freed by release(), and created again from the values at that time', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const values = [{ name: 'client', value: 'Anna Berg' }];
    const known = new PrivateValues(() => values);
    const matcher = new WeakRef(known.matcher() ?? known);
    known.release();
    const isHeld = async () => {
      // The target of a dereferenced WeakRef stays alive until the end of the event loop turn.
      await new Promise(setImmediate);
      collect();
      return matcher.deref() !== undefined;
    };
    await expect.poll(isHeld, { timeout: 10_000 }).toBe(false);
    expect(known.matcher()?.replace('Anna Berg')).toBe('{_{client}_}');
    known.release();
    values.push({ name: 'friend', value: 'Berta Tal' });
    expect(known.matcher()?.replace('Anna Berg and Berta Tal')).toBe('{_{client}_} and {_{friend}_}');
  });
});
