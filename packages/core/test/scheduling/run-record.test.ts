import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { expect, it } from 'vitest';
import { describeError } from '../../src/scheduling/run-record.js';

it.each([
  [
    'an error of the SDK',
    new MaivnSDKError('no', { code: 'X', details: { key: 1 } }),
    'MaivnSDKError',
    'X',
    'no',
  ],
  ['another error', new TypeError('no'), 'TypeError', null, 'no'],
  ['a long message', new Error('x'.repeat(501)), 'Error', null, 'x'.repeat(500)],
  ['a message that is no text', Object.assign(new Error('no'), { message: 404, name: 5 }), '5', null, '404'],
  [
    'what is no error',
    'a text that may say anything',
    'Error',
    null,
    'The work threw something other than an Error.',
  ],
])('a store keeps of %s its name, code and message', (_what, error, name, code, message) => {
  expect(describeError(error)).toEqual({ name, code, message });
});
