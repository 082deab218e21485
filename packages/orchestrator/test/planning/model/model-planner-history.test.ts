import { describe, expect, it } from 'vitest';
import { planContext, toolsOf } from '../plan-fixtures.js';
import { play } from '../play.js';
import { context, serving, wires } from './wires.js';

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

  it('does not take a call of give_answer that was not offered for an answer', async () => {
    const calls = [{ id: 'x', name: 'give_answer', args: '{}' }];
    await using service = await serve([wire.stream({ calls }), wire.stream({ text: 'Sorry.' })]);
    const { text } = await play(context, { planner: service.planner, answers: {} });
    expect(text).toBe('Sorry.');
    expect(JSON.stringify(service.server.requests[1]?.body['messages'])).toContain('There is no tool');
  });
});
