import { describe, expect, it } from 'vitest';
import { resolveApiKey, type CredentialOptions } from '../../src/auth/resolve-credentials.js';
import { readEnvironment } from '../../src/config/environment.js';
import { ConfigurationError } from '../../src/config/errors.js';
import { environmentTwin } from '../environment-twin.js';

const files = {
  '/work/app.env': 'SVC_API_KEY=from-dotenv\nSVC_API_KEY_FILE=dotenv.key\n',
  '/work/only-file.env': 'SVC_API_KEY_FILE=dotenv.key\n',
  '/work/blank.env': 'SVC_API_KEY=\n',
  '/work/dotenv.key': 'from-dotenv-key-file\n',
  '/work/chosen.key': 'from-chosen-key-file\n',
  '/work/env.key': 'from-environment-key-file\r\n',
  '/work/two-lines.key': 'first\nsecond\n',
  '/work/empty.key': '\n',
};

function resolve(options: CredentialOptions, variables: Record<string, string> = {}): string | undefined {
  const source = environmentTwin(variables, files);
  return resolveApiKey(options, readEnvironment(source, options.envFile), source)?.reveal();
}

describe('the key comes from the source with the highest priority', () => {
  const all = { SVC_API_KEY: 'from-process', SVC_API_KEY_FILE: 'env.key' };
  it.each<[string, CredentialOptions, Record<string, string>, string | undefined]>([
    [
      'an explicit key overrides everything',
      { apiKey: 'explicit', envFile: 'app.env', apiKeyFile: 'chosen.key' },
      all,
      'explicit',
    ],
    [
      'the process environment overrides the dotenv file and key files',
      { envFile: 'app.env', apiKeyFile: 'chosen.key' },
      all,
      'from-process',
    ],
    [
      'the dotenv file overrides key files',
      { envFile: 'app.env', apiKeyFile: 'chosen.key' },
      {},
      'from-dotenv',
    ],
    [
      'apiKeyFile overrides the key file of the environment',
      { apiKeyFile: 'chosen.key' },
      { SVC_API_KEY_FILE: 'env.key' },
      'from-chosen-key-file',
    ],
    [
      'a key file of the process environment',
      {},
      { SVC_API_KEY_FILE: 'env.key' },
      'from-environment-key-file',
    ],
    ['a key file of the dotenv file', { envFile: 'only-file.env' }, {}, 'from-dotenv-key-file'],
    [
      'the key file of the process environment overrides that of the dotenv file',
      { envFile: 'only-file.env' },
      { SVC_API_KEY_FILE: 'env.key' },
      'from-environment-key-file',
    ],
    ['a dotenv file is not read unless it is selected', {}, {}, undefined],
    ['a blank key counts as unset', { envFile: 'blank.env' }, { SVC_API_KEY: '  ' }, undefined],
  ])('%s', (_name, options, variables, expected) => {
    expect(resolve(options, variables)).toBe(expected);
  });
});

describe('a configuration error without the file contents is thrown for', () => {
  it.each<[string, CredentialOptions, Record<string, string>, string]>([
    ['a missing dotenv file', { envFile: 'missing.env' }, {}, 'CONFIG_FILE_UNREADABLE'],
    ['a missing key file', { apiKeyFile: 'missing.key' }, {}, 'CONFIG_FILE_UNREADABLE'],
    [
      'a missing apiKeyFile, even if the process environment has a key',
      { apiKeyFile: 'missing.key' },
      { SVC_API_KEY: 'k' },
      'CONFIG_FILE_UNREADABLE',
    ],
    [
      'a missing apiKeyFile, even if there is an explicit key',
      { apiKey: 'k', apiKeyFile: 'missing.key' },
      {},
      'CONFIG_FILE_UNREADABLE',
    ],
    [
      'a missing key file of the environment',
      {},
      { SVC_API_KEY_FILE: 'missing.key' },
      'CONFIG_FILE_UNREADABLE',
    ],
    ['a key file with two lines', { apiKeyFile: 'two-lines.key' }, {}, 'CONFIG_INVALID_API_KEY'],
    ['an empty key file', { apiKeyFile: 'empty.key' }, {}, 'CONFIG_INVALID_API_KEY'],
    ['a blank explicit key', { apiKey: ' ' }, {}, 'CONFIG_INVALID_API_KEY'],
    ['a key with characters that a header cannot contain', { apiKey: 'kéy' }, {}, 'CONFIG_INVALID_API_KEY'],
  ])('%s', (_name, options, variables, code) => {
    let error: unknown;
    try {
      resolve(options, variables);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error)).not.toMatch(/first|second|kéy/);
  });
});

it('reading a dotenv file does not modify the process environment', () => {
  const before = { ...process.env };
  resolve({ envFile: 'app.env' });
  expect(process.env).toEqual(before);
});
