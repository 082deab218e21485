import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { RequestError } from '../../src/errors.js';
import { silentLogger } from '../../src/logger.js';
import { renderErrors } from '../../src/routes/render-error.js';
import { memoryClosed, runUnreadable } from '../../src/store/errors.js';
import { newFolder } from '../support/new-folder.js';
import { openOrchestrator } from '../support/open-orchestrator.js';

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
])('sends %s s as Retry-After in whole seconds: %s', async (retryAfterS, header) => {
  const { headers } = await answerTo(new RequestError('Later.', { code: 'DRAINING', retryAfterS }));
  expect(headers['retry-after']).toBe(header);
});

it('answers 500 without details for a foreign error, whatever its statusCode', async () => {
  const error = Object.assign(new Error('canary'), { statusCode: 502, code: 'canary' });
  const { statusCode, body } = await answerTo(error);
  expect(statusCode).toBe(500);
  expect(body).not.toContain('canary');
});

it('answers 503 with Retry-After when the memory file is locked', async () => {
  const path = join(await newFolder(), 'memory.db');
  const [holder, other] = [new DatabaseSync(path), new DatabaseSync(path)];
  holder.exec('BEGIN IMMEDIATE');
  const locked = thrownBy(() => other.exec('BEGIN IMMEDIATE'));
  const { statusCode, headers, json } = await answerTo(locked);
  expect({ statusCode, retryAfter: headers['retry-after'] }).toEqual({ statusCode: 503, retryAfter: '2' });
  expect(json()).toEqual({ code: 'STORE_UNAVAILABLE', message: expect.not.stringContaining('locked') });
});

it('answers 503 when memory is closed, and 500 when a stored run is malformed', async () => {
  expect((await answerTo(memoryClosed())).statusCode).toBe(503);
  expect((await answerTo(runUnreadable('s'))).statusCode).toBe(500);
});

it('answers memory requests with 503 until the memory file can be opened', async () => {
  const folder = join(await newFolder(), 'later');
  const lines: object[] = [];
  const logger = { info() {}, warn() {}, error: (fields: object) => void lines.push(fields) };
  const { client } = await openOrchestrator({ memory: { path: join(folder, 'memory.db') }, logger });
  const list = () => client.request('GET', '/projects/local/memory/skills');
  const refused = await list();
  expect(refused).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(lines).toMatchObject([{ error: { code: 'STORE_UNAVAILABLE' } }]);
  await mkdir(folder);
  expect(await list()).toMatchObject({ status: 200, body: { items: [] } });
});

function thrownBy(work: () => void): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
