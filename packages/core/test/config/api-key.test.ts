import { expect, it } from 'vitest';
import { ApiKey, HIDDEN_KEY } from '../../src/config/api-key.js';

it('hideIn replaces every occurrence of the key, unless it is shorter than 16 characters', () => {
  const key = 'k'.repeat(16);
  expect(new ApiKey(key, 'a test').hideIn(`${key}, once more: ${key}`)).toBe(
    `${HIDDEN_KEY}, once more: ${HIDDEN_KEY}`,
  );
  expect(new ApiKey('k'.repeat(15), 'a test').hideIn(`${'k'.repeat(15)}`)).toBe('k'.repeat(15));
});
