import { describe, expect, it } from 'vitest';
import { modelPlanner } from '../../../src/planning/model/model-planner.js';
import { callStep, constraints, okCall } from '../plan-fixtures.js';
import { scriptedModel, type ScriptedTurn } from './scripted-model.js';
import type { WireAnswer } from './wire-server.js';
import { context, serving, wires } from './wires.js';

const tooLong = {
  code: 'PLANNER_LENGTH',
  retryable: false,
  message: expect.stringContaining('maxOutputBytes'),
};

describe.each(wires)('the output limit over the $name wire', (wire) => {
  const serve = serving(wire);

  /** The stream up to the event with the mark `@`, and that event repeated forever. */
  const endless = ({ events = [] }: WireAnswer): WireAnswer => ({
    events: events.slice(0, events.findIndex((event) => event.includes('@')) + 1),
    repeats: true,
  });

  it.each([
    ['text', wire.stream({ text: '@@@@@@' })],
    ['arguments', wire.stream({ calls: [{ id: 'c', name: 'add', args: '{"a":"@@' }] })],
  ])('stops a turn with endless %s', async (_, answer) => {
    await using service = await serve([endless(answer), wire.stream({ text: 'more' })], {
      maxOutputBytes: 20_000,
      maxRetries: 1,
    });
    await expect(service.next().step).rejects.toMatchObject({
      ...tooLong,
      details: { max_output_bytes: 20_000 },
    });
    expect(service.server.requests).toHaveLength(1);
    // Nobody reads the response any more, so its connection is closed.
    await expect.poll(() => service.server.openStreams()).toBe(0);
  });

  it('stops a turn with endless arguments even if no call is allowed', async () => {
    const answer = wire.stream({ calls: [{ id: 'c', name: 'add', args: '{"a":"@@' }] });
    await using service = await serve([endless(answer)], { maxOutputBytes: 20_000 });
    const steps = [callStep(okCall('now'))];
    const answerOnly = { ...context, steps, constraints: constraints({ max_cycles: 1 }) };
    await expect(service.next(answerOnly).step).rejects.toMatchObject(tooLong);
    await expect.poll(() => service.server.openStreams()).toBe(0);
  });

  it('counts arguments once, although they arrive in pieces and then as a whole', async () => {
    const args = `{"a":1,${' '.repeat(12_000)}"b":2}`;
    const answer = wire.stream({ calls: [{ id: 'c', name: 'add', args }] });
    await using service = await serve([answer], { maxOutputBytes: 20_000 });
    await expect(service.next().step).resolves.toMatchObject({ calls: [{ args: { a: 1, b: 2 } }] });
  });
});

describe('the output limit', () => {
  const next = (turn: ScriptedTurn, maxOutputBytes?: number) =>
    modelPlanner({ model: scriptedModel([turn]), maxOutputBytes }).next(context, {
      signal: new AbortController().signal,
      onText: () => undefined,
    });

  it('applies to the bytes of text, reasoning and arguments together', async () => {
    const turn = { reasoning: 'é'.repeat(10), text: ['é'.repeat(10)], calls: [{ name: 'now', args: '{}' }] };
    await expect(next(turn, 42)).resolves.toMatchObject({ type: 'call' });
    await expect(next(turn, 41)).rejects.toMatchObject(tooLong);
    await expect(next({ reasoning: 'x'.repeat(42), text: ['ok'] }, 41)).rejects.toMatchObject(tooLong);
  });

  it('is 4 MiB by default', async () => {
    const [most, one] = ['x'.repeat(4 * 1024 * 1024), 'x'];
    await expect(next({ text: [most] })).resolves.toMatchObject({ type: 'finish' });
    await expect(next({ text: [most, one] })).rejects.toMatchObject(tooLong);
  });
});
