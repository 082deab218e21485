import { describe, expect, it } from 'vitest';
import {
  findInUrl,
  findInArguments,
  findInRequest,
  isCredential,
} from '../../../src/mcp/credentials/find-credentials.js';

describe('isCredential', () => {
  it.each([
    ['Authorization', 'X-Api-Key', 'Proxy-Authorization', 'Set-Cookie', 'APIKEY', 'API_KEY_PROD', 'TOKEN_2'],
    [
      'apiKey',
      'accessTokenValue',
      'access_token',
      'OAUTH',
      'AUTH_HEADER',
      'SECRETS',
      'CREDENTIALS',
      'API_KEYS',
    ],
    ['MYSQL_PWD', 'pwd', 'PGPASSWORD', 'PASSWORT', 'SSH_PASSPHRASE', 'ACCESS_TOKENS', 'AWS_ACCESS_KEY_ID'],
  ])('is true for names such as %s', (...names) => {
    expect(names.filter((name) => !isCredential(name))).toEqual([]);
  });

  it.each([
    ['GIT_AUTHOR_NAME', 'author', 'keyspace', 'KEYWORDS', 'keyboard-layout', 'tokenizer', 'KEYCLOAK_REALM'],
    ['MAX_TOKENS', 'maxTokens', 'max_output_tokens', 'token_limit', 'min-key-size', 'HOST', 'PWD', 'OLDPWD'],
    ['AUTH_MODE', 'auth-type', 'TOKEN_URL', 'KEY_FILE', 'SECRETS_DIR', 'COOKIE_DOMAIN', 'secret_name'],
  ])('is false for names such as %s', (...names) => {
    expect(names.filter(isCredential)).toEqual([]);
  });
});

it.each([
  [['--keyspace=production']],
  [['--author=Jane Doe']],
  [['--max-tokens=100000']],
  [['--max-tokens', '100000']],
  [['--auth-mode', 'disabled']],
  [['--no-auth', '/srv/docs']],
  [['--token', '--verbose']],
  [['Keywords: chemistry']],
  [['https://host.example/mcp?keyword=chemistry&author=jane.doe']],
])('findInArguments finds no credential in %j', (args) => {
  expect(findInArguments(args)).toEqual([]);
});

it('findInUrl decodes parameters and passwords as a server does', () => {
  expect(findInUrl('https://me:a%20b@host.example/?token=x%2By&page=2')).toEqual([
    ['token', 'x+y'],
    ['password', 'a b'],
  ]);
  expect(findInUrl('https://me:100%25%@host.example/')).toEqual([['password', '100%25%']]);
});

it.each(['client_secret', 'refresh_token', 'assertion', 'client_assertion'])(
  'findInRequest finds the %s of a sign-in, and no other field',
  (name) => {
    const form = new URLSearchParams({ [name]: 'a.b.c', client_assertion_type: 'jwt', grant_type: 'g' });
    expect(findInRequest(new Headers(), form)).toEqual([[name, 'a.b.c']]);
  },
);
