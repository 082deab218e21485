import { createGateway } from 'ai';
import { expect, it, onTestFinished } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { wireServer, type WireAnswer } from './wire-server.js';
import { context } from './wires.js';

/** Calls a model given only by its name, which the AI SDK's default provider resolves. */
async function refusedWith(refusal: WireAnswer) {
  await using server = await wireServer([refusal, refusal]);
  globalThis.AI_SDK_DEFAULT_PROVIDER = createGateway({ apiKey: 'key-1', baseURL: server.url });
  onTestFinished(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  });
  const planner = modelPlanner({ model: 'vendor/model', maxRetries: refusal.status === 429 ? 0 : 1 });
  const io = { signal: new AbortController().signal, onText: () => undefined };
  const error = await planner.next(context, io).catch((reason: unknown) => reason);
  return { error, tries: server.requests.length };
}

const said = (status: number, type: string, message: string): WireAnswer => ({
  status,
  json: { error: { message, type } },
});

it('reports why the gateway rejected a request, without the key', async () => {
  const { error, tries } = await refusedWith(said(400, 'invalid_request_error', 'too long for key-1'));
  expect(error).toMatchObject({
    code: 'PLANNER_REJECTED',
    message: 'The model service rejected the request (400): too long for [key]',
  });
  expect(tries).toBe(1);
});

it('reports that the gateway rejected the key, without retrying', async () => {
  const { error, tries } = await refusedWith(said(401, 'authentication_error', 'key-1 is unknown'));
  expect(error).toMatchObject({ code: 'PLANNER_REJECTED', details: { status_code: 401 } });
  expect(JSON.stringify(error) + String(error)).not.toContain('key-1');
  expect(tries).toBe(1);
});

it('reports how long a rate limit of the gateway lasts', async () => {
  const limited = { ...said(429, 'rate_limit_exceeded', 'slow down'), headers: { 'retry-after': '17' } };
  const { error } = await refusedWith(limited);
  expect(error).toMatchObject({ code: 'PLANNER_RATE_LIMITED', details: { retry_after_s: 17 } });
});
