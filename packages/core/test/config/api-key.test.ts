import { expect, it } from 'vitest';
import { ApiKey, HIDDEN_KEY } from '../../src/config/api-key.js';

it('a key is hidden wherever it stands in a text, and one that could be a word of it is not looked for', () => {
  const key = 'k'.repeat(16);
  expect(new ApiKey(key, 'a test').hideIn(`${key}, once more: ${key}`)).toBe(
    `${HIDDEN_KEY}, once more: ${HIDDEN_KEY}`,
  );
  expect(new ApiKey('k'.repeat(15), 'a test').hideIn(`${'k'.repeat(15)}`)).toBe('k'.repeat(15));
});
