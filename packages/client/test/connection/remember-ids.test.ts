import { expect, it } from 'vitest';
import { rememberIds } from '../../src/connection/remember-ids.js';

it('remembers the last 4,096 ids and forgets the oldest', () => {
  const isNew = rememberIds();
  for (let id = 0; id < 4_096; id += 1) expect(isNew(`${id}`)).toBe(true);
  expect(isNew('0')).toBe(false);
  expect(isNew('4096')).toBe(true);
  expect(isNew('1')).toBe(false);
  expect(isNew('0')).toBe(true);
});
