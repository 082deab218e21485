import { expect, it } from 'vitest';
import { boundedFetch } from '../../../src/planning/model/bounded-fetch.js';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { wireServer, type WireAnswer } from './wire-server.js';
import { context, modelOf, wires } from './wires.js';

const filler = 'x'.repeat(50_000);
const refusal: WireAnswer = { status: 400, headers: { 'content-type': 'application/json' } };

it.each<[string, WireAnswer]>([
  ['a line', { events: [filler] }],
  ['an event', { events: [`data: ${filler}\n`] }],
  ['a page', { headers: { 'content-type': 'text/html' }, events: [`<p>${filler}</p>\n`] }],
  ['a refusal', { ...refusal, events: [`${filler}\n\n`] }],
])('breaks off when %s has no end', async (_, answer) => {
  await using server = await wireServer([{ ...answer, repeats: true }]);
  const response = await boundedFetch(server.url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(answer.status ?? 200);
  await expect(response.text()).rejects.toThrow(RangeError);
  await expect.poll(() => server.openStreams()).toBe(0);
});

it.each([
  ['\n\n', 'text/event-stream'],
  ['\r\n\r\n', 'text/event-stream'],
  ['\n\n', 'text/plain'],
])('takes a long stream whose events end with %j, as %s', async (end, type) => {
  const event = `data: ${filler}${end}`;
  // Pieces of the end come apart.
  const events = Array.from({ length: 200 }, () => [event.slice(0, -1), event.slice(-1)]).flat();
  await using server = await wireServer([{ headers: { 'content-type': type }, events }]);
  const response = await boundedFetch(server.url, { method: 'POST', body: '{}' });
  expect((await response.text()).length).toBe(200 * event.length);
});

it.each(wires)('is how a model of the environment asks over the $name wire', async (wire) => {
  await using server = await wireServer([{ ...refusal, events: [filler], repeats: true }]);
  const planner = modelPlanner({
    model: await modelOf(wire.model(server)),
    maxRetries: 0,
    timeoutMs: 20_000,
  });
  const step = planner.next(context, { signal: new AbortController().signal, onText: () => undefined });
  await expect(step).rejects.toMatchObject({ code: 'PLANNER_REJECTED', details: { status_code: 400 } });
});

it.each(wires)('sends no key and no conversation on to another address over the $name wire', async (wire) => {
  await using other = await wireServer([]);
  const headers = { location: other.url };
  await using server = await wireServer([{ status: 307, headers, json: {} }]);
  const planner = modelPlanner({ model: await modelOf(wire.model(server)), maxRetries: 0 });
  const step = planner.next(context, { signal: new AbortController().signal, onText: () => undefined });
  await expect(step).rejects.toMatchObject({
    code: 'PLANNER_UNAVAILABLE',
    message: expect.stringContaining('SVC_MODEL_BASE_URL'),
  });
  expect([server.requests.length, other.requests]).toEqual([1, []]);
});
