import { inspect } from 'node:util';
import { isSdkError } from '@svc/contracts/sdk-error';
import { expect, it } from 'vitest';
import { StreamRefusedError } from '../../src/connection/stream-refused-error.js';

it('StreamRefusedError is an SDK error by its brand, code and JSON', () => {
  const error = new StreamRefusedError(403, 'text/html');
  expect(error).toBeInstanceOf(Error);
  expect([isSdkError(error, 'STREAM_REFUSED'), isSdkError(error, 'OTHER')]).toEqual([true, false]);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'StreamRefusedError',
    code: 'STREAM_REFUSED',
    statusCode: 403,
    message: 'Stream refused: 403 text/html',
  });
  expect(inspect(error)).not.toContain('svc.sdk-error');
});
