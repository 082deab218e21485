import { describe, expect, it } from 'vitest';
import { modelFromEnvironment } from '../../../src/planning/model/model-from-environment.js';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { callStep, constraints, okCall, planContext, toolsOf } from '../plan-fixtures.js';
import { play } from '../play.js';
import { anthropicStream, openAiStream, wireServer } from './wire-server.js';
import { context, modelOf, serving, wires } from './wires.js';

const answers = {
  add: (args: Record<string, unknown>) => Number(args['a']) + Number(args['b']),
  now: '12:00',
};

describe.each(wires)('modelPlanner over the $name wire', (wire) => {
  const serve = serving(wire);

  it('runs parallel tool calls to an answer, and counts tokens', async () => {
    await using service = await serve([
      wire.stream({
        calls: [
          { id: 'call-a', name: 'add', args: '{"a":1,"b":2}' },
          { id: 'call-b', name: 'now', args: '{}' },
        ],
      }),
      wire.stream({ text: 'The sum is 3, at 12:00.' }),
    ]);
    const played = await play(context, { planner: service.planner, answers });
    expect(played.waves).toEqual([['add {"a":1,"b":2}', 'now']]);
    expect(played.text).toBe('The sum is 3, at 12:00.');
    expect(played.context.steps[0]).toMatchObject({
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
    expect(service.server.requests.map((request) => request.path)).toEqual([wire.path, wire.path]);
    expect(wire.keyHeader(service.server)).toBe(wire.keyValue);
    const second = JSON.stringify(service.server.requests[1]?.body['messages']);
    for (const shown of ['call-a', 'call-b', '3', '12:00']) expect(second).toContain(shown);
  });

  it.each([-5, 0.5, 1e300])('ignores %d as a number of tokens', async (count) => {
    const { events = [] } = wire.stream({ text: 'ok' });
    const odd = events.map((event) =>
      event.replaceAll(/("(?:output_tokens|completion_tokens|total_tokens)":)\d+/g, `$1${count}`),
    );
    await using service = await serve([{ events: odd }]);
    const { usage = {} } = await service.next().step;
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(Object.values(usage).filter((tokens) => !Number.isSafeInteger(tokens) || tokens < 0)).toEqual([]);
  });

  it('offers the tools of the run and ask_person, and no others', async () => {
    await using service = await serve([wire.stream({ text: 'ok' })]);
    await service.next().step;
    const offered = JSON.stringify(service.server.requests[0]?.body['tools']);
    const names = Array.from(offered.matchAll(/"name":"([^"]*)"/g), ([, name]) => name);
    expect(names).toEqual(['add', 'now', 'ask_person']);
  });

  it('streams text as it arrives', async () => {
    await using service = await serve([wire.stream({ text: 'A somewhat longer answer.' })]);
    const { deltas, step } = service.next();
    await expect(step).resolves.toMatchObject({ type: 'finish', text: 'A somewhat longer answer.' });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toBe('A somewhat longer answer.');
  });

  it('turns a call of ask_person into questions', async () => {
    const args = JSON.stringify({ questions: [{ prompt: 'Which?', choices: ['a', 'b'] }] });
    await using service = await serve([wire.stream({ calls: [{ id: 'q', name: 'ask_person', args }] })]);
    await expect(service.next().step).resolves.toMatchObject({
      type: 'ask',
      questions: [{ question_id: 'q1.1', prompt: 'Which?', input_type: 'choice', choices: ['a', 'b'] }],
    });
  });

  it('sends malformed arguments back to the model', async () => {
    await using service = await serve([
      wire.stream({ calls: [{ id: 'bad', name: 'add', args: '{"a":1,"b":' }] }),
      wire.stream({ calls: [{ id: 'good', name: 'add', args: '{"a":1,"b":2}' }] }),
    ]);
    await expect(service.next().step).resolves.toMatchObject({
      type: 'call',
      calls: [{ tool_id: 't-add', args: { a: 1, b: 2 } }],
    });
    expect(JSON.stringify(service.server.requests[1]?.body['messages'])).toContain('not a JSON object');
  });

  it.each(['same', ''])('gives two calls with the id “%s” different ids', async (id) => {
    const calls = ['add', 'now'].map((name) => ({ id, name, args: '{}' }));
    await using service = await serve([wire.stream({ calls }), wire.stream({ text: 'Done.' })]);
    const step = await service.next().step;
    if (step.type !== 'call') throw new Error('no calls');
    const made = step.calls.map((call, index) => ({ ...call, call_id: `c${index}` }));
    await service.next({ ...context, steps: [{ ...step, calls: made }] }).step;
    const shown = JSON.stringify(service.server.requests[1]?.body['messages']);
    const ids = Array.from(shown.matchAll(/"(?:tool_use_id|tool_call_id)":"([^"]*)"/g), ([, given]) => given);
    expect(ids).toHaveLength(2);
    expect(new Set(ids.filter(Boolean))).toHaveLength(2);
  });

  it('sends arguments that are nested too deep back to the model', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    await using service = await serve([
      wire.stream({ calls: [{ id: 'bad', name: 'add', args: deep }] }),
      wire.stream({ text: 'Well.' }),
    ]);
    await expect(service.next().step).resolves.toMatchObject({ type: 'finish', text: 'Well.' });
    expect(JSON.stringify(service.server.requests[1]?.body['messages'])).toContain(
      'The arguments of add are not a JSON object: nested deeper than 1000 levels',
    );
  });

  it('gives up after three malformed turns', async () => {
    const bad = () => wire.stream({ calls: [{ id: 'bad', name: 'add', args: '{' }] });
    await using service = await serve([bad(), bad(), bad()]);
    await expect(service.next().step).rejects.toMatchObject({ code: 'PLANNER_INVALID_STEP' });
    expect(service.server.requests).toHaveLength(3);
  });

  it('fails with PLANNER_LENGTH when an answer is cut off', async () => {
    await using service = await serve([wire.stream({ text: 'Once upon a', finish: wire.lengthStop })]);
    await expect(service.next().step).rejects.toMatchObject({ code: 'PLANNER_LENGTH', retryable: false });
  });

  it('fails with PLANNER_REFUSED when the model refuses', async () => {
    await using service = await serve([wire.refusal()]);
    await expect(service.next().step).rejects.toMatchObject({ code: 'PLANNER_REFUSED' });
  });

  it('stops at once when the run is cancelled', async () => {
    const { events = [] } = wire.stream({ text: 'Half' });
    await using service = await serve([{ events: events.slice(0, 3), hangs: true }]);
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const step = service.planner.next(context, {
      signal: controller.signal,
      onText: () => controller.abort(reason),
    });
    await expect(step).rejects.toBe(reason);
  });

  it('requires a call of the final tool when it is the only tool left', async () => {
    const where = planContext({
      tools: toolsOf({
        name: 'Count',
        type: 'model',
        properties: { n: { type: 'integer' } },
        required: ['n'],
        final_tool: true,
      }),
      constraints: constraints({ force_final_tool: true }),
    });
    await using service = await serve([
      wire.stream({ calls: [{ id: 'c', name: 'Count', args: '{"n":1}' }] }),
    ]);
    await expect(service.next(where).step).resolves.toMatchObject({
      type: 'call',
      calls: [{ tool_id: 't-Count', args: { n: 1 } }],
    });
    expect(JSON.stringify(service.server.requests[0]?.body['tool_choice'])).toContain('Count');
  });
});

describe('modelPlanner over the Anthropic wire, with reasoning', () => {
  it('sends the model its signed reasoning again', async () => {
    await using server = await wireServer([
      {
        events: anthropicStream({
          thinking: 'Let me add.',
          calls: [{ id: 'tu-1', name: 'add', args: '{"a":1,"b":2}' }],
        }),
      },
      { events: anthropicStream({ text: '3' }) },
    ]);
    const model = await modelOf(
      modelFromEnvironment({
        SVC_MODEL: 'anthropic:claude-sonnet-4-5',
        SVC_MODEL_BASE_URL: server.url,
        SVC_MODEL_API_KEY: 'k',
      }),
    );
    const where = { ...context, preference: { reasoning: 'low' } } as const;
    await play(where, { planner: modelPlanner({ model }), answers });
    const second = JSON.stringify(server.requests[1]?.body['messages']);
    expect(second).toContain('sig-1');
    expect(second).toContain('tu-1');
    expect(JSON.stringify(server.requests[0]?.body)).toContain('thinking');
  });

  it('also sends it with calls that are returned as malformed', async () => {
    const turn = (args: string) => ({
      events: anthropicStream({ thinking: 'Let me add.', calls: [{ id: 'tu-1', name: 'add', args }] }),
    });
    await using server = await wireServer([turn('{"a":1,'), turn('{"a":1,"b":2}')]);
    const model = await modelOf(
      modelFromEnvironment({
        SVC_MODEL: 'anthropic:claude-sonnet-4-5',
        SVC_MODEL_BASE_URL: server.url,
        SVC_MODEL_API_KEY: 'k',
      }),
    );
    const where = { ...context, preference: { reasoning: 'low' } } as const;
    const io = { signal: new AbortController().signal, onText: () => undefined };
    await expect(modelPlanner({ model }).next(where, io)).resolves.toMatchObject({ type: 'call' });
    const thought = { type: 'thinking', thinking: 'Let me add.', signature: 'sig-1' };
    expect(server.requests[1]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [thought, { type: 'tool_use', id: 'tu-1' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'tu-1' }] },
    ]);
  });
});

describe('modelPlanner over the OpenAI wire, with reasoning', () => {
  it('passes on the reasoning effort', async () => {
    await using server = await wireServer([{ events: openAiStream({ text: 'ok' }) }]);
    const model = await modelOf(modelFromEnvironment({ SVC_MODEL: 'm', SVC_MODEL_BASE_URL: server.url }));
    const where = {
      ...planContext({ steps: [callStep(okCall('x'))] }),
      preference: { reasoning: 'high' },
    } as const;
    await modelPlanner({ model }).next(where, {
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    expect(server.requests[0]?.body['reasoning_effort']).toBe('high');
  });
});
