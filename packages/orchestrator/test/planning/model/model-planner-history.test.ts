import { describe, expect, it } from 'vitest';
import { planContext, toolsOf } from '../plan-fixtures.js';
import { play } from '../play.js';
import { context, serving, wires } from './wires.js';

describe.each(wires)('the history over the $name wire', (wire) => {
  const serve = serving(wire);

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
