import { isSdkError } from '@svc/contracts/sdk-error';
import { describe, expect, it } from 'vitest';
import { PlanLimitExceededError } from '../../src/http/errors.js';
import { parseRetryAfter, readHttpError } from '../../src/http/read-error.js';

describe('an HTTP error', () => {
  it.each([
    [
      'a code, a message and details',
      { code: 'invalid_key', message: 'No such key.', details: { project: 'p' } },
      { code: 'invalid_key', detail: { project: 'p' } },
    ],
    ['a code only', { code: 'invalid_key' }, { code: 'invalid_key', detail: undefined }],
    [
      'a code and a string as detail',
      { code: 'invalid_key', detail: 'Revoked.' },
      { code: 'invalid_key', detail: 'Revoked.' },
    ],
    ['details that are a string', { code: 'x', message: 'm', details: 'd' }, { code: 'x', detail: 'd' }],
    ['details that are null', { code: 'x', message: 'm', details: null }, { code: 'x', detail: 'm' }],
    ['a code that is not a string', { code: 7, message: 'm' }, { code: 'HTTP_403', detail: 'm' }],
    ['an empty code', { code: '', message: 'm' }, { code: 'HTTP_403', detail: 'm' }],
    ['a code and a message', { code: 'x', message: 'Said so.' }, { code: 'x', detail: 'Said so.' }],
    [
      'the original’s detail object',
      { detail: { error: 'missing_header', message: 'No header.' } },
      { code: 'missing_header', detail: { error: 'missing_header', message: 'No header.' } },
    ],
    ['the original’s detail string', { detail: 'Nope.' }, { code: 'HTTP_403', detail: 'Nope.' }],
    [
      'a list of validation errors',
      { detail: [{ loc: ['body', 'state'], msg: 'Field required' }] },
      { code: 'HTTP_403', detail: [{ loc: ['body', 'state'], msg: 'Field required' }] },
    ],
    ['an array instead of an object', [1], { code: 'HTTP_403' }],
  ])('has the right code and detail for a body with %s', (_name, body, expected) => {
    const error = readHttpError({ statusCode: 403, text: JSON.stringify(body), now: 0 });
    expect(error).toMatchObject({ statusCode: 403, reason: 'Forbidden', ...expected });
    expect(isSdkError(error, expected.code)).toBe(true);
  });

  it.each([
    [404, 'ROUTE_NOT_FOUND', 'There is nothing at this URL.'],
    [403, 'PROJECT_FORBIDDEN', 'The API key does not allow this.'],
  ])('for %d %s adds the advice: %s', (statusCode, code, advice) => {
    const text = JSON.stringify({ code, message: 'Said so.' });
    expect(readHttpError({ statusCode, text, now: 0 }).message).toContain(`Said so. ${advice}`);
  });

  it('contains no secret, however the body escapes it', () => {
    const hide = (text: string) => text.replaceAll('key+/1', '[key]');
    const text = String.raw`{"code":"x","message":"Got key\u002b\/1.","details":{"key+/1":["key+\/1"]}}`;
    expect(readHttpError({ statusCode: 400, text, now: 0, hide })).toMatchObject({
      message: expect.stringContaining('Got [key].'),
      detail: { '[key]': ['[key]'] },
    });
  });

  it.each([301, 302, 303, 307, 308])('advises to set baseUrl to where a %d leads', (statusCode) => {
    const { message } = readHttpError({ statusCode, text: '', now: 0 });
    expect(message).toMatch(/ Redirects are not followed\. Set baseUrl to the final URL\.$/);
  });

  it('of 413 without a code says that a proxy may have refused it', () => {
    const page = '<html><head><title>413 Request Entity Too Large</title></head></html>';
    expect(readHttpError({ statusCode: 413, text: page, now: 0 }).message).toBe(
      'The orchestrator refused the request: 413 Payload Too Large. If a proxy did, raise its limit for request bodies (nginx: client_max_body_size).',
    );
  });

  it.each([502, 503, 504])('of %d without a code says that a proxy may not have reached it', (statusCode) => {
    expect(readHttpError({ statusCode, text: '<html>', now: 0 }).message).toMatch(
      / If a proxy did, it could not reach the orchestrator: check that it runs, and the proxy's settings\.$/,
    );
  });

  it.each([
    [503, 'STORE_UNAVAILABLE'],
    [503, 'DRAINING'],
    [503, 'TOO_MANY_STREAMS'],
    [413, 'BODY_TOO_LARGE'],
    [413, 'RESOURCE_TOO_LARGE'],
    [413, 'RECORD_TOO_LARGE'],
    [404, 'MEMORY_NOT_FOUND'],
    [403, 'MEMORY_DISABLED'],
    [403, 'OPERATION_FORBIDDEN'],
  ])('for %d %s gives no advice', (statusCode, code) => {
    const text = JSON.stringify({ code, message: 'Said so.' });
    expect(readHttpError({ statusCode, text, now: 0 }).message).toMatch(/Said so\.$/);
  });

  it.each(['Not authenticated', 'Not authenticated.', ' Not authenticated ', 'Authenticated?'])(
    'puts the detail %j into a sentence of its own',
    (detail) => {
      const { message } = readHttpError({ statusCode: 401, text: JSON.stringify({ detail }), now: 0 });
      expect(message).toMatch(/ (Not authenticated\.|Authenticated\?) The API key is missing/);
    },
  );

  it('has a default code if the body is not JSON', () => {
    expect(readHttpError({ statusCode: 500, text: '<html>', now: 0 })).toMatchObject({
      statusCode: 500,
      reason: 'Internal Server Error',
      code: 'HTTP_500',
    });
  });

  it.each([
    { code: 'plan_limit_exceeded', message: 'Upgrade.' },
    { code: 'plan_limit_exceeded' },
    { detail: { error: 'plan_limit_exceeded' } },
  ])('is a PlanLimitExceededError for %j', (body) => {
    const text = JSON.stringify(body);
    expect(readHttpError({ statusCode: 429, text, now: 0 })).toBeInstanceOf(PlanLimitExceededError);
  });
});

it.each([
  ['3', 3000],
  [' 0 ', 0],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('parseRetryAfter reads %j', (value, expected) => {
  expect(parseRetryAfter(value, 1000)).toBe(expected);
});

it('the message of an HTTP error is cut to a limit, and detail keeps all of it', () => {
  const message = 'so long'.repeat(10_000);
  const error = readHttpError({ statusCode: 400, text: JSON.stringify({ code: 'X', message }), now: 0 });
  expect(error.message.length).toBeLessThan(2_200);
  expect(error.detail).toBe(message);
});
