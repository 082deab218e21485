import { describe, expect, it } from 'vitest';
import { modelFromEnvironment } from '../../../src/planning/model/model-from-environment.js';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import type { PlanContext } from '../../../src/planning/plan-context.js';
import { planContext, resultOf, toolsOf } from '../plan-fixtures.js';
import { play } from '../play.js';
import { anthropicStream, wireServer } from './wire-server.js';
import { context, modelOf, serving, wires } from './wires.js';

const idsIn = (body: unknown) =>
  Array.from(JSON.stringify(body).matchAll(/"(?:tool_use_id|tool_call_id)":"([^"]*)"/g), ([, id]) => id);

describe.each(wires)('the history over the $name wire', (wire) => {
  const serve = serving(wire);
  const now = { calls: [{ id: 'x', name: 'now', args: '{}' }] };

  it('has different ids for calls of different turns, even if the service repeats them', async () => {
    await using service = await serve([wire.stream(now), wire.stream(now), wire.stream({ text: 'Done.' })]);
    await play(context, { planner: service.planner, answers: {} });
    const ids = idsIn(service.server.requests[2]?.body['messages']);
    expect(ids).toEqual(['x', expect.any(String)]);
    expect(new Set(ids)).toHaveLength(2);
  });

  it('has valid names for tools named like methods of an object', async () => {
    const calls = [{ id: 'x', name: 'toString_', args: '{}' }];
    await using service = await serve([wire.stream({ calls }), wire.stream({ text: 'Done.' })]);
    const where = planContext({ tools: toolsOf({ name: 'toString' }) });
    const { waves } = await play(where, { planner: service.planner, answers: {} });
    expect(waves).toEqual([['toString']]);
    expect(JSON.stringify(service.server.requests[1]?.body['messages'])).toContain('"name":"toString_"');
  });

  it('tells the model that a tool which it called does not exist', async () => {
    const calls = [{ id: 'x', name: 'gone', args: '{}' }];
    await using service = await serve([wire.stream({ calls }), wire.stream({ text: 'Sorry.' })]);
    const { text } = await play(context, { planner: service.planner, answers: {} });
    expect(text).toBe('Sorry.');
    expect(JSON.stringify(service.server.requests[1]?.body['messages'])).toContain('There is no tool');
  });
});

describe('the history over the Anthropic wire, with reasoning', () => {
  /** Plays a run whose model thinks in its first turn, and returns the messages of its second request. */
  async function secondRequest(where: PlanContext, turn: Parameters<typeof anthropicStream>[0]) {
    await using server = await wireServer([
      { events: anthropicStream({ thinking: 'Hm.', ...turn }) },
      { events: anthropicStream({ text: 'Done.' }) },
    ]);
    const model = await modelOf(
      modelFromEnvironment({
        SVC_MODEL: 'anthropic:claude-sonnet-4-5',
        SVC_MODEL_BASE_URL: server.url,
        SVC_MODEL_API_KEY: 'k',
      }),
    );
    await play(
      { ...where, preference: { reasoning: 'low' } },
      { planner: modelPlanner({ model }), answers: { load: 5 } },
    );
    return server.requests[1]?.body['messages'];
  }

  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' };
  const tools = toolsOf(
    { name: 'load', always_execute: true },
    { name: 'sum', properties: { x: resultOf('load') }, required: ['x'] },
  );
  const loaded = { type: 'text', text: expect.stringContaining('"tool":"load","arguments":{},"result":5') };

  it('has the turn of the model before the calls that the rules added to it', async () => {
    const calls = [{ id: 'tu-1', name: 'sum', args: '{}' }];
    expect(await secondRequest(planContext({ tools }), { calls })).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [thought, { type: 'tool_use', id: 'tu-1' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'tu-1' }, loaded] },
    ]);
  });

  it('has no call in a turn that the rules put calls in place of', async () => {
    expect(await secondRequest(planContext({ tools }), { text: 'Early.' })).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'Early.' }] },
      { role: 'user', content: [loaded] },
    ]);
  });

  it('has a result for each call next to a question', async () => {
    const args = JSON.stringify({ questions: [{ prompt: 'Which?' }] });
    const calls = [
      { id: 'tu-1', name: 'load', args: '{}' },
      { id: 'tu-2', name: 'ask_person', args },
      { id: 'tu-3', name: 'ask_person', args },
    ];
    const where = planContext({ tools: toolsOf({ name: 'load' }) });
    expect(await secondRequest(where, { calls })).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [thought, ...calls.map(({ id }) => ({ type: 'tool_use', id }))] },
      {
        role: 'user',
        content: [
          { tool_use_id: 'tu-1', content: expect.stringContaining('Not run') },
          { tool_use_id: 'tu-2', content: expect.stringContaining('Which?') },
          { tool_use_id: 'tu-3', content: expect.stringContaining('Which?') },
        ],
      },
    ]);
  });
});
