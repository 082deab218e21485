import { wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { wireServer, type WireAnswer } from './wire-server.js';
import { context, modelOf, serving, wires } from './wires.js';

describe('modelPlanner with a model that takes no audio', () => {
  it('says so, and does not call it an outage', async () => {
    const [, anthropic] = wires;
    if (!anthropic) throw new Error('no wire');
    await using service = await serving(anthropic)([], { maxRetries: 2 });
    const attachments = [{ name: 'a.mp3', mime_type: 'audio/mpeg', content_base64: 'AAAA' }];
    const step = service.next({
      ...context,
      messages: [{ role: 'user', content: 'Listen', attachments }],
    }).step;
    await expect(step).rejects.toMatchObject({
      code: 'PLANNER_REJECTED',
      retryable: false,
      message: expect.stringContaining('audio'),
    });
  });
});

describe.each(wires)('modelPlanner over the $name wire', (wire) => {
  const serve = serving(wire);

  it('asks again after a blank answer, without sending it back', async () => {
    await using service = await serve([wire.stream({ text: ' \n' }), wire.stream({ text: 'ok' })]);
    await expect(service.next().step).resolves.toMatchObject({ type: 'finish', text: 'ok' });
    const { messages } = service.server.requests[1]?.body ?? {};
    expect(JSON.stringify(messages)).not.toContain('assistant');
  });

  it('names a tool that does not exist as services accept it', async () => {
    const calls = [{ id: 'c', name: 'multi_tool.use', args: '{' }];
    await using service = await serve([wire.stream({ calls }), wire.stream({ text: 'ok' })]);
    await expect(service.next().step).resolves.toMatchObject({ type: 'finish', text: 'ok' });
    const sent = JSON.stringify(service.server.requests[1]?.body['messages']);
    expect(sent).toContain('"name":"multi_tool_use"');
  });

  it('does not ask again when there is nothing to send', async () => {
    await using service = await serve([], { maxRetries: 2 });
    const step = service.next({ ...context, messages: [] }).step;
    await expect(step).rejects.toMatchObject({ code: 'PLANNER_REJECTED', retryable: false });
  });

  it('waits out a rate limit and then retries', async () => {
    const limited: WireAnswer = {
      status: 429,
      headers: { 'retry-after-ms': '5' },
      json: { error: { message: 'slow down', type: 'rate_limit_error' } },
    };
    await using service = await serve([limited, limited, wire.stream({ text: 'ok' })], { maxRetries: 2 });
    await expect(service.next().step).resolves.toMatchObject({ type: 'finish', text: 'ok' });
    expect(service.server.requests).toHaveLength(3);
  });

  it.each([
    ['17', 17, 'in 17 s'],
    ['Sun, 06 Nov 1994 08:49:47 GMT', 10, 'in 10 s'],
    ['-5', undefined, 'later'],
    ['soon', undefined, 'later'],
  ])('reports when to try again once retries run out, for retry-after: %s', async (wait, seconds, when) => {
    const limited: WireAnswer = {
      status: 429,
      headers: { 'retry-after': wait, date: 'Sun, 06 Nov 1994 08:49:37 GMT' },
      json: { error: { message: 'slow down' } },
    };
    await using service = await serve([limited]);
    const error = await service.next().step.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'PLANNER_RATE_LIMITED',
      retryable: true,
      message: expect.stringContaining(`Try again ${when} or`),
    });
    expect(error).toHaveProperty('details', {
      status_code: 429,
      ...(seconds === undefined ? {} : { retry_after_s: seconds }),
    });
  });

  it('rejects an HTML page, and points to SVC_MODEL_BASE_URL', async () => {
    const page = { headers: { 'content-type': 'text/html' }, events: ['<html>Welcome</html>'] };
    await using service = await serve([page]);
    await expect(service.next().step).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
      message: expect.stringContaining('SVC_MODEL_BASE_URL'),
    });
  });

  it('reports an outage', async () => {
    await using service = await serve([{ status: 503, json: { error: { message: 'down' } } }]);
    await expect(service.next().step).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
      details: { status_code: 503 },
    });
  });

  it('reports a service that cannot be reached', async () => {
    const server = await wireServer([]);
    const model = await modelOf(wire.model(server));
    await server[Symbol.asyncDispose]();
    const planner = modelPlanner({ model, maxRetries: 0 });
    const step = planner.next(context, { signal: new AbortController().signal, onText: () => undefined });
    await expect(step).rejects.toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
  });

  it('retries when the stream breaks off before any text', async () => {
    const { events = [] } = wire.stream({ text: 'Half' });
    await using service = await serve(
      [{ events: events.slice(0, 1), breaksOff: true }, wire.stream({ text: 'ok' })],
      { maxRetries: 1 },
    );
    await expect(service.next().step).resolves.toMatchObject({ type: 'finish', text: 'ok' });
  });

  it('does not retry once text has been streamed', async () => {
    const { events = [] } = wire.stream({ text: 'Half of the answer' });
    await using service = await serve(
      [{ events: events.slice(0, 4), hangs: true }, wire.stream({ text: 'ok' })],
      { maxRetries: 1 },
    );
    const { said, step } = service.next();
    await said;
    // Not sooner: unread data is lost when a connection ends.
    service.server.breakOff();
    await expect(step).rejects.toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
  });

  it.each([
    [401, 'Incorrect key-1'],
    [400, 'Incorrect API key provided: key-1'],
    [404, 'No route for Authorization: Bearer key-1'],
  ])('never repeats the message of a %d response that rejects the key', async (status, message) => {
    await using service = await serve([{ status, json: { error: { message } } }]);
    const error = await service.next().step.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'PLANNER_REJECTED',
      message: `The model service rejected the request (${status}). Check the model’s key and its permissions.`,
      details: { status_code: status },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('key-1');
  });

  it.each([400, 404, 422])('hides the key in other messages of a %d response', async (status) => {
    const long = 'x'.repeat(290);
    const advice = '. Check the name of the model and the URL of its service (SVC_MODEL_BASE_URL).';
    for (const [said, shown] of [
      ['Nobody is known as key-1 here', 'Nobody is known as [key] here'],
      ['caller=key%2D1 (KEY-1)', 'caller=[key] ([key])'],
      [`${long} is not for key-1`, `${long} is not fo`],
    ]) {
      await using service = await serve([{ status, json: { error: { message: said } } }]);
      const error = await service.next().step.catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'PLANNER_REJECTED',
        message: `The model service rejected the request (${status}): ${shown}${status === 404 ? advice : ''}`,
      });
    }
  });

  describe('with a wrapped model, whose key is unknown', () => {
    async function reportedRefusal(message: string, key: string): Promise<string> {
      await using server = await wireServer([{ status: 400, json: { error: { message } } }]);
      const plain = await modelOf(wire.model(server, key));
      if (typeof plain === 'string') throw new Error('not a model');
      const model = wrapLanguageModel({
        model: plain,
        middleware: { overrideModelId: () => 'test-4.1-mini-2025-04-14' },
      });
      const planner = modelPlanner({ model, maxRetries: 0 });
      const io = { signal: new AbortController().signal, onText: () => undefined };
      const error: unknown = await planner.next(context, io).catch((reason: unknown) => reason);
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(key);
      return String(error).split('(400): ')[1] ?? '';
    }

    it.each([
      ['k9-Zq4711canary-77', 'Too long for k9-Zq4711canary-77 (k9-Zq4711canary%2D77).'],
      ['kZqwXcanaryVbnmQWer', 'Too long for kZqwXcanaryVbnmQWer (kZqwXcanaryVbnmQWer).'],
      ['canary-of-our-own-gateway', 'Too long for canary-of-our-own-gateway (canary-of-our-own-gateway).'],
    ])('hides whatever may be the key %s', async (key, message) => {
      expect(await reportedRefusal(message, key)).toBe('Too long for [key] ([key]).');
    });

    it.each([
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
      "In context=('items',), 'additionalProperties' is required to be false.",
      'The model `test-4.1-mini-2025-04-14` does not exist.',
    ])('keeps the message: %s', async (message) => {
      expect(await reportedRefusal(message, 'k9-Zq4711canary-77')).toBe(message);
    });
  });

  it('reports why a request was rejected', async () => {
    await using service = await serve([{ status: 400, json: { error: { message: 'context too long' } } }]);
    await expect(service.next().step).rejects.toMatchObject({
      code: 'PLANNER_REJECTED',
      message: expect.stringContaining('context too long'),
    });
  });

  it('reports why a request was rejected within a stream, without the key and without a retry', async () => {
    const error = { type: 'invalid_request_error', message: 'too long for key-1' };
    const refusal = { events: [`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`] };
    await using service = await serve([refusal], { maxRetries: 1 });
    await expect(service.next().step).rejects.toMatchObject({
      code: 'PLANNER_REJECTED',
      message: 'The model service rejected the request (400): too long for [key]',
    });
    expect(service.server.requests).toHaveLength(1);
  });
});
