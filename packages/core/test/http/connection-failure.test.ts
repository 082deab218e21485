import { describe, expect, it } from 'vitest';
import { explainConnectionFailure } from '../../src/http/connection-failure.js';
import { ConnectionError } from '../../src/http/errors.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('a refused connection', () => {
  it('at the default address explains how to start an orchestrator', () => {
    expect(explainConnectionFailure(refused, 'http://127.0.0.1:7420')).toMatchObject({
      code: 'HTTP_CONNECTION_REFUSED',
      message: expect.stringContaining('svc orchestrator'),
      isTransient: true,
    });
  });

  it('at another address says what to check', () => {
    expect(explainConnectionFailure(refused, 'https://x.example')).toMatchObject({
      message: expect.stringMatching(/https:\/\/x\.example.*baseUrl/),
    });
  });
});

it.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('a certificate that is refused (%s) says so, and how to pass an authority', (code) => {
  const cause = Object.assign(new Error('x'), { code });
  expect(explainConnectionFailure(cause, 'https://x.example')).toMatchObject({
    code: 'HTTP_CONNECTION_FAILED',
    message: expect.stringMatching(
      new RegExp(`^The orchestrator at https://x\\.example has a certificate .*${code}.*NODE_EXTRA_CA_CERTS`),
    ),
    details: { reason: code },
    cause,
  });
});

it('a request of a closed client fails with HTTP_CLIENT_CLOSED, which is not transient', () => {
  const destroyed = Object.assign(new Error('The client is destroyed'), { code: 'UND_ERR_DESTROYED' });
  expect(explainConnectionFailure(destroyed, 'http://127.0.0.1:7420')).toMatchObject({
    code: 'HTTP_CLIENT_CLOSED',
    message: expect.stringContaining('Create a new one'),
    isTransient: false,
  });
});

it('a request that cannot be sent as it is says why, and is not transient', () => {
  const invalid = Object.assign(new Error('invalid accept header'), { code: 'UND_ERR_INVALID_ARG' });
  expect(explainConnectionFailure(invalid, 'https://x.example')).toMatchObject({
    code: 'HTTP_CONNECTION_FAILED',
    message: 'The request cannot be sent: invalid accept header.',
    isTransient: false,
  });
});

it.each([
  ['our own errors', new ConnectionError('x', { code: 'X', isTransient: false })],
  ['aborts', new DOMException('x', 'AbortError')],
])('explainConnectionFailure returns %s unchanged', (_name, error) => {
  expect(explainConnectionFailure(error)).toBe(error);
});

it.each([
  [Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }), 'UND_ERR_SOCKET'],
  [
    Object.assign(new Error('x'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }),
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  ],
  [new TypeError('x'), 'TypeError'],
  ['text', 'unknown failure'],
])('any other failure (%s) becomes HTTP_CONNECTION_FAILED with the reason %s', (error, reason) => {
  expect(explainConnectionFailure(error)).toMatchObject({
    code: 'HTTP_CONNECTION_FAILED',
    message: `The orchestrator did not answer (${reason}).`,
    details: { reason },
  });
});
