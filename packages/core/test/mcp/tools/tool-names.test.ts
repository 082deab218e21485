import { describe, expect, it } from 'vitest';
import { isCredentialArgument } from '../../../src/mcp/credentials/credential-arguments.js';
import { nameTools } from '../../../src/mcp/tools/tool-names.js';

const names = (tools: string[], prefix = 'files', separator = '__') => [
  ...nameTools(tools, { prefix, separator }).values(),
];

describe('names of tools', () => {
  it.each([
    [['read'], 'files', '__', ['files__read']],
    [['read'], '', '__', ['read']],
    [['read'], 'my files', '.', ['my_files_read']],
    [['read-file', 'get/it', 'größe'], 'f', '__', ['f__read_file', 'f__get_it', 'f__gr__e']],
    [['2fast'], '', '__', ['_2fast']],
  ])('of %j with the prefix %j and the separator %j are %j', (tools, prefix, separator, expected) => {
    expect(names(tools, prefix, separator)).toEqual(expected);
  });

  it('stay unique with a stable suffix if they would become the same', () => {
    const given = names(['a-b', 'a_b', 'a.b']);
    expect(new Set(given).size).toBe(3);
    expect(given[0]).toBe('files__a_b');
    expect(given[1]).toMatch(/^files__a_b_[0-9a-f]{6}$/);
    expect(names(['a-b', 'a_b', 'a.b'])).toEqual(given);
  });

  it('are cut to 64 characters and stay unique', () => {
    const long = 'x'.repeat(80);
    const given = names([`${long}1`, `${long}2`]);
    expect(given.map((name) => name.length)).toEqual([64, 64]);
    expect(given[0]).not.toBe(given[1]);
  });
});

it.each([
  ['api_key', true],
  ['apiKey', true],
  ['X-Api-Key', true],
  ['token', true],
  ['access_token', true],
  ['password', true],
  ['client_secret', true],
  ['Authorization', true],
  ['page_token', false],
  ['max_tokens', false],
  ['next_token', false],
  ['key', false],
  ['author', false],
  ['token_count', false],
])('an argument named %s is a credential: %s', (name, expected) => {
  expect(isCredentialArgument(name)).toBe(expected);
});
