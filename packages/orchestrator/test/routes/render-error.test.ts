import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { RequestError } from '../../src/errors.js';
import { silentLogger } from '../../src/logger.js';
import { renderErrors } from '../../src/routes/render-error.js';

async function answerTo(thrown: Error) {
  const app = Fastify();
  renderErrors(app, silentLogger);
  app.get('/', () => {
    throw thrown;
  });
  return app.inject('/');
}

it.each([
  [0.2, '1'],
  [3, '3'],
])('asks to come back after %s s in whole seconds', async (retryAfterS, header) => {
  const { headers } = await answerTo(new RequestError('Later.', { code: 'DRAINING', retryAfterS }));
  expect(headers['retry-after']).toBe(header);
});

it('says nothing of an error that is not the request’s, whatever status it names', async () => {
  const error = Object.assign(new Error('canary'), { statusCode: 502, code: 'canary' });
  const { statusCode, body } = await answerTo(error);
  expect(statusCode).toBe(500);
  expect(body).not.toContain('canary');
});
