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
  ['an HTML page', { headers: { 'content-type': 'text/html' }, events: [`<p>${filler}</p>\n`] }],
  ['an error response', { ...refusal, events: [`${filler}\n\n`] }],
])('stops reading when %s never ends', async (_, answer) => {
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
])('reads a long stream whose events end with %j, sent as %s', async (end, type) => {
  const event = `data: ${filler}${end}`;
  // The end of each event is split across chunks.
  const events = Array.from({ length: 200 }, () => [event.slice(0, -1), event.slice(-1)]).flat();
  await using server = await wireServer([{ headers: { 'content-type': type }, events }]);
  const response = await boundedFetch(server.url, { method: 'POST', body: '{}' });
  expect((await response.text()).length).toBe(200 * event.length);
});

it.each(wires)('limits the responses to a model from the environment over the $name wire', async (wire) => {
  await using server = await wireServer([{ ...refusal, events: [filler], repeats: true }]);
  const planner = modelPlanner({
    model: await modelOf(wire.model(server)),
    maxRetries: 0,
    timeoutMs: 20_000,
  });
  const step = planner.next(context, { signal: new AbortController().signal, onText: () => undefined });
  await expect(step).rejects.toMatchObject({ code: 'PLANNER_REJECTED', details: { status_code: 400 } });
});

it.each(wires)(
  'does not follow a redirect with the key and the conversation over the $name wire',
  async (wire) => {
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
  },
);
