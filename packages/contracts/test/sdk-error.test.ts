import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MaivnSDKError, isSdkError } from '../src/sdk-error.js';

class DeadlineError extends MaivnSDKError {}

describe('MaivnSDKError', () => {
  it('has its code, message, details, cause and the name of its class', () => {
    const cause = new Error('socket closed');
    const error = new DeadlineError('Took too long', {
      code: 'RUN_TIMEOUT',
      details: { timeout_ms: 5 },
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'DeadlineError',
      code: 'RUN_TIMEOUT',
      message: 'Took too long',
      details: { timeout_ms: 5 },
    });
    expect(error.cause).toBe(cause);
    expect(String(error)).toBe('DeadlineError [RUN_TIMEOUT]: Took too long');
  });

  it('has no details or cause if none were given', () => {
    const error = new MaivnSDKError('No', { code: 'NO' });
    expect('cause' in error).toBe(false);
    expect('details' in error).toBe(false);
    expect(error.toJSON()).toEqual({ name: 'MaivnSDKError', code: 'NO', message: 'No' });
    expect('cause' in new MaivnSDKError('No', { code: 'NO', cause: undefined })).toBe(false);
  });

  it('has a name that a subclass can override and that can be assigned', () => {
    class Minified extends MaivnSDKError {
      override name = 'ChargeError';
    }
    expect(String(new Minified('No', { code: 'NO' }))).toBe('ChargeError [NO]: No');
    const error = new MaivnSDKError('No', { code: 'NO' });
    error.name = 'ChargeError';
    expect(error.toJSON().name).toBe('ChargeError');
  });

  it('keeps a frozen copy of its details', () => {
    const details: Record<string, unknown> = { step: 1 };
    const error = new MaivnSDKError('No', { code: 'NO', details });
    details['step'] = 2;
    expect(error.details).toEqual({ step: 1 });
    expect(Object.isFrozen(error.details)).toBe(true);
  });

  it('leaves the cause and the stack out of its JSON and its string', () => {
    const error = new MaivnSDKError('No', { code: 'NO', cause: new Error('sk-secret') });
    expect(JSON.stringify(error)).not.toContain('sk-secret');
    expect(JSON.stringify(error)).not.toContain('at ');
    expect(String(error)).not.toContain('sk-secret');
  });

  it('can always be serialized as JSON, whatever its details contain', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const error = new MaivnSDKError('No', {
      code: 'NO',
      details: { loop, big: 1n, run: () => 1, fine: { a: [1] } },
    });
    expect(JSON.parse(JSON.stringify(error)).details).toEqual({
      loop: '[not serializable]',
      big: '[not serializable]',
      fine: { a: [1] },
    });
  });

  it('does not show its brand when printed', () => {
    expect(inspect(new MaivnSDKError('No', { code: 'NO' }))).not.toContain('svc.sdk-error');
  });
});

describe('isSdkError', () => {
  it('is true for subclasses and for branded errors of another copy of the SDK', () => {
    const foreign = Object.assign(new TypeError('No key'), {
      code: 'NO_KEY',
      [Symbol.for('svc.sdk-error')]: true,
    });
    expect(isSdkError(new DeadlineError('x', { code: 'X' }))).toBe(true);
    expect(isSdkError(foreign)).toBe(true);
    expect(isSdkError(foreign, 'NO_KEY')).toBe(true);
  });

  it('compares the code if one is given', () => {
    const error = new MaivnSDKError('x', { code: 'X' });
    expect(isSdkError(error, 'X')).toBe(true);
    expect(isSdkError(error, 'Y')).toBe(false);
  });

  it.each([[new Error('x')], [{ code: 'X', message: 'x' }], [null], [undefined], ['X'], [7]])(
    'is false for %o',
    (value) => {
      expect(isSdkError(value)).toBe(false);
    },
  );
});
