import { expect, it } from 'vitest';
import { PrivateValues } from '../../src/privacy/private-values.js';

/** Follows an object, and says what is left of a text. */
function following(owner: Record<string, unknown>) {
  const values = new PrivateValues();
  values.follow(owner, () => Object.entries(owner).map(([name, value]) => ({ name, value })));
  return (text: string) => values.cleanText(text);
}

it('follows texts that an owner adds, replaces or takes away, and forgets none that was private', () => {
  const owner: Record<string, unknown> = { key: 'first-secret' };
  const clean = following(owner);
  expect(clean('first-secret second-secret')).toBe('{_{key}_} second-secret');
  owner['key'] = 'second-secret';
  expect(clean('first-secret second-secret third-secret')).toBe('{_{key}_} {_{key}_} third-secret');
  owner['more'] = 'third-secret';
  expect(clean('third-secret')).toBe('{_{more}_}');
  delete owner['more'];
  expect(clean('second-secret third-secret')).toBe('{_{key}_} {_{more}_}');
});

it('follows a list that is changed in place', () => {
  const list = ['first-secret'];
  const clean = following({ list });
  expect(clean('first-secret second-secret')).toBe('{_{list}_} second-secret');
  list.push('second-secret');
  expect(clean('first-secret second-secret')).toBe('{_{list}_} {_{list}_}');
});
