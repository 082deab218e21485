import { describe, expect, test } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';

const final = (payload: object) => normalizeStreamEvent({ name: 'final', payload })[0];

describe('a final event', () => {
  test('that failed keeps its error', () => {
    const event = final({
      status: 'failed',
      error: 'no model',
      responses: [],
      error_info: { code: 'MODEL_DOWN', message: 'x', details: { a: 1 } },
    });
    expect(event).toMatchObject({
      event_name: 'final',
      response: '',
      status: 'failed',
      error: 'no model',
      error_info: { code: 'MODEL_DOWN', message: 'no model', details: { a: 1 } },
    });
  });

  test.each([
    [
      { status: 'cancelled', error: 'stopped by the user' },
      { status: 'cancelled', error: 'stopped by the user' },
    ],
    [
      { status: ' FAILED ', error_info: { message: 'from info' } },
      { status: 'failed', error: 'from info' },
    ],
    [{ status: 'error' }, { status: 'failed', error: 'Unknown error' }],
  ])('with %j reports its status and error', (payload, fields) => {
    expect(final(payload)).toMatchObject(fields);
  });

  test('of an interrupted run has that status and no error', () => {
    const event = final({ status: 'interrupted' });
    expect(event).toMatchObject({ status: 'interrupted' });
    expect(event).not.toHaveProperty('error_info');
  });

  test.each([['completed'], ['running'], [null], [7]])(
    'with status %j is normalized as if it had no status and no error',
    (status) => {
      expect(final({ status, response: 'r', error: 'ignored' })).toEqual(final({ response: 'r' }));
    },
  );
});

describe('an error event', () => {
  const info = (payload: object) => normalizeStreamEvent({ name: 'error', payload })[0]?.error_info;

  test.each([
    [{ details: { code: ' KEY_REVOKED ' } }],
    [{ error_info: { code: 'KEY_REVOKED' } }],
    [{ error_info: { code: 'KEY_REVOKED' }, details: { code: 'OTHER' } }],
  ])('of %j keeps its code', (payload) => {
    expect(info({ error: 'gone', ...payload })).toMatchObject({ message: 'gone', code: 'KEY_REVOKED' });
  });

  test.each([[{}], [{ details: { code: 401 } }], [{ error_info: { code: '' } }]])(
    'of %j has no code',
    (payload) => {
      expect(info({ error: 'gone', ...payload })).not.toHaveProperty('code');
    },
  );
});
