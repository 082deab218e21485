import { describe, expect, it } from 'vitest';
import { firstCalls, MAX_CALLS_PER_STEP } from '../../../src/planning/policy/first-calls.js';
import { settleStep } from '../../../src/planning/policy/settle-step.js';
import { constraints, planContext, resultOf, toolsOf, type ToolSketch } from '../plan-fixtures.js';

const callsOf = (sketches: readonly ToolSketch[]) =>
  sketches.map(({ name }) => ({ tool_id: `t-${name}`, args: {} }));
const many = (length: number): ToolSketch[] =>
  Array.from({ length }, (_none, index) => ({ name: `tool_${index}`, always_execute: true }));

describe('firstCalls', () => {
  it('keeps all calls that fit into one step, in their order', () => {
    const sketches = many(MAX_CALLS_PER_STEP).toReversed();
    const calls = callsOf(sketches);
    expect(firstCalls(calls, toolsOf(...sketches))).toEqual(calls);
  });

  it('takes the first calls if there are too many', () => {
    const calls = callsOf(many(MAX_CALLS_PER_STEP + 6));
    expect(firstCalls(calls, toolsOf(...many(70)))).toEqual(calls.slice(0, MAX_CALLS_PER_STEP));
  });

  it.each<[string, Partial<ToolSketch>]>([
    ['a tool dependency', { properties: { x: resultOf('last') }, required: ['x'] }],
    ['an order rule', { metadata: { execution_controls: { await_for: [{ tool_id: 't-last' }] } } }],
  ])('takes a call before the one that depends on it through %s', (_rule, needs) => {
    const [first, ...others] = many(MAX_CALLS_PER_STEP);
    const sketches = [{ ...first, name: 'eager', ...needs }, ...others, { name: 'last' }];
    const taken = firstCalls(callsOf(sketches), toolsOf(...sketches)).map(({ tool_id }) => tool_id);
    expect(taken.slice(0, 3)).toEqual(['t-last', 't-eager', 't-tool_1']);
    expect(taken).toHaveLength(MAX_CALLS_PER_STEP);
  });

  it('terminates if order rules contradict each other', () => {
    const waits = (name: string) => ({ execution_controls: { await_for: [{ tool_id: `t-${name}` }] } });
    const sketches = [
      { name: 'a', metadata: waits('b') },
      { name: 'b', metadata: waits('a') },
      ...many(MAX_CALLS_PER_STEP),
    ];
    expect(firstCalls(callsOf(sketches), toolsOf(...sketches))).toHaveLength(MAX_CALLS_PER_STEP);
  });

  it('limits the calls that replace a premature answer', () => {
    const context = planContext({
      tools: toolsOf(...many(70)),
      constraints: constraints({ mode: 'single_shot_dag' }),
    });
    const settled = settleStep({ type: 'finish', text: 'Done.' }, context);
    expect(settled.ok && settled.step.type === 'call' && settled.step.calls).toHaveLength(MAX_CALLS_PER_STEP);
  });
});
