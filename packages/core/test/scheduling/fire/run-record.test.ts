import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { expect, it } from 'vitest';
import { UNREADABLE } from '../../../src/message-of.js';
import { describeError } from '../../../src/scheduling/fire/run-record.js';
import { withGetter } from '../../unreadable-errors.js';

it.each([
  ['an SDK error', new MaivnSDKError('no', { code: 'X', details: { key: 1 } }), 'MaivnSDKError', 'X', 'no'],
  ['an error of another class', new TypeError('no'), 'TypeError', null, 'no'],
  ['an error with a long message', new Error('x'.repeat(501)), 'Error', null, 'x'.repeat(500)],
  [
    'an error whose message is not a string',
    Object.assign(new Error('no'), { message: 404, name: 'Lost' }),
    'Lost',
    null,
    'Lost',
  ],
  [
    'an SDK error whose code is not a string',
    Object.assign(new MaivnSDKError('no', { code: 'X' }), { code: 404 }),
    'MaivnSDKError',
    null,
    'no',
  ],
  ['an error whose name throws', withGetter('name', new Error('no')), 'Error', null, UNREADABLE],
  [
    'a thrown value that is not an Error',
    'a text that may say anything',
    'Error',
    null,
    'The work threw something other than an Error.',
  ],
])('describeError keeps the name, code and message of %s', (_what, error, name, code, message) => {
  expect(describeError(error)).toEqual({ name, code, message });
});
