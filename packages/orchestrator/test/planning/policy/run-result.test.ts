import { describe, expect, it } from 'vitest';
import { callResult, runResult } from '../../../src/planning/policy/run-result.js';
import { callStep, constraints, failedCall, okCall, planContext, toolsOf } from '../plan-fixtures.js';

const [agent] = toolsOf({ name: 'writer', type: 'agent' });
const [tool] = toolsOf({ name: 'report', final_tool: true });

describe('the result of a call', () => {
  it.each([
    ['the result of an agent rather than its response', { result: { n: 1 }, response: 'One.' }, { n: 1 }],
    ['the response of an agent without a result', { result: null, response: 'One.' }, 'One.'],
    ['null for an agent with neither', {}, null],
  ])('is %s', (_, envelope, expected) => {
    expect(callResult(okCall('writer', envelope), agent)).toEqual(expected);
  });

  it('is unchanged if the tool is not an agent, whatever its fields are called', () => {
    const given = { result: 1, response: 'One.' };
    expect(callResult(okCall('report', given), tool)).toEqual(given);
  });
});

describe('the result of a run', () => {
  const steps = [callStep(okCall('report', 1)), callStep(okCall('report', 2))];

  it('is the last result of a final tool that ran twice', () => {
    expect(runResult(planContext({ tools: toolsOf({ name: 'report', final_tool: true }), steps }))).toBe(2);
  });

  it('is that of the final tool’s last call that did not fail', () => {
    const tools = toolsOf({ name: 'report', final_tool: true });
    const later = callStep(failedCall('report'));
    expect(runResult(planContext({ tools, steps: [...steps, later] }))).toBe(2);
  });

  it('is null without a final tool, except in a member session', () => {
    const tools = toolsOf({ name: 'report' });
    expect(runResult(planContext({ tools, steps }))).toBeNull();
    const invocation = { agent_name: 'a', use_as_final_output: false, nested_synthesis: 'auto' } as const;
    expect(runResult(planContext({ tools, steps, constraints: constraints({ invocation }) }))).toBe(2);
  });
});
