import { describe, expect, it } from 'vitest';
import type {
  PlanConstraints,
  PlanContext,
  RecordedStep,
  SwarmMember,
} from '../../../src/planning/plan-context.js';
import { exhaustedRequirement, planLimits } from '../../../src/planning/policy/plan-limits.js';
import { runResult } from '../../../src/planning/policy/run-result.js';
import {
  callStep,
  constraints,
  failedCall,
  okCall,
  planContext,
  resultOf,
  swarmMember,
  toolsOf,
  type ToolSketch,
} from '../plan-fixtures.js';

const a: ToolSketch = { name: 'a' };
const b: ToolSketch = { name: 'b' };
const boundary = (name: string) => failedCall(name, { code: 'REEVALUATE_BOUNDARY' });

const contextOf = (
  sketches: ToolSketch[],
  some: Partial<PlanConstraints> = {},
  ...steps: RecordedStep[]
): PlanContext => planContext({ tools: toolsOf(...sketches), constraints: constraints(some), steps });

const names = (context: PlanContext) => planLimits(context).callable.map((tool) => tool.name);
const required = (context: PlanContext) =>
  planLimits(context).required.map((each) => `${each.tool_id.slice(2)}:${each.reason}`);

describe('required tools', () => {
  it('include every always_execute tool until it has been tried', () => {
    const tools = [{ ...a, always_execute: true }, b];
    expect(required(contextOf(tools))).toEqual(['a:always_execute']);
    expect(required(contextOf(tools, {}, callStep(failedCall('a'))))).toEqual([]);
    expect(required(contextOf(tools, {}, callStep(boundary('a'))))).toEqual(['a:always_execute']);
  });

  it('include a forced final tool after its producers, until it succeeds', () => {
    const tools = [a, { name: 'sum', properties: { x: resultOf('a') }, required: ['x'], final_tool: true }];
    const forced = { force_final_tool: true };
    expect(required(contextOf(tools))).toEqual([]);
    expect(required(contextOf(tools, forced))).toEqual(['a:final_tool', 'sum:final_tool']);
    expect(required(contextOf(tools, forced, callStep(okCall('a'), failedCall('sum'))))).toEqual([
      'sum:final_tool',
    ]);
    expect(required(contextOf(tools, forced, callStep(okCall('a'), okCall('sum'))))).toEqual([]);
  });

  it('include every target with the producers it needs', () => {
    const tools = [a, { name: 'c', properties: { x: resultOf('a') }, required: ['x'] }, b];
    const context = contextOf(tools, { targeted_tools: ['t-c'] });
    expect(required(context)).toEqual(['a:targeted', 'c:targeted']);
    expect(names(context)).toEqual(['a', 'c']);
  });

  it('do not include the agent of a tool that was called without it', () => {
    const prompt = { prompt: { type: 'string' } };
    const tools: ToolSketch[] = [
      { name: 'helper', type: 'agent', properties: prompt, required: ['prompt'] },
      { name: 'use', properties: { x: resultOf('helper') }, required: ['x'], always_execute: true },
    ];
    expect(required(contextOf(tools))).toEqual(['helper:always_execute', 'use:always_execute']);
    expect(required(contextOf(tools, {}, callStep(okCall('use'))))).toEqual([]);
    expect(required(contextOf(tools, {}, callStep(failedCall('use'))))).toEqual([]);
  });
});

describe('a required tool that cannot succeed', () => {
  const tools = [{ ...a, final_tool: true }];
  const exhausted = (...steps: RecordedStep[]) =>
    exhaustedRequirement(contextOf(tools, { force_final_tool: true }, ...steps))?.message;

  it('is given up after three failures, or at once if the failure is not retryable', () => {
    const failing = () => callStep(failedCall('a'));
    expect(exhausted(failing(), failing())).toBeUndefined();
    expect(exhausted(failing(), failing(), failing())).toBe('It broke.');
    expect(exhausted(callStep(failedCall('a', { retryable: false, message: 'Declined.' })))).toBe(
      'Declined.',
    );
  });
});

describe('planning rounds', () => {
  const finish = (mode: PlanConstraints['mode'], ...steps: RecordedStep[]) =>
    planLimits(contextOf([a, b], { mode }, ...steps)).must_finish;

  it('continue in supervisor_loop until they are used up', () => {
    const round = callStep(okCall('a'));
    expect(finish('supervisor_loop', round, round)).toBeUndefined();
    const context = contextOf([a], { max_cycles: 2 }, round, round);
    expect(planLimits(context)).toMatchObject({
      cycles_left: 0,
      must_finish: expect.stringContaining('2 planning rounds'),
    });
  });

  it('are not used up by a round that continues after a boundary', () => {
    const context = contextOf(
      [a, b],
      { max_cycles: 2 },
      callStep(okCall('a'), boundary('b')),
      callStep(okCall('b')),
    );
    expect(planLimits(context).cycles_left).toBe(1);
  });

  it('are used up by a round that continues after a boundary without anything new', () => {
    const again = () => callStep(okCall('a'), boundary('b'));
    const left = (...steps: RecordedStep[]) =>
      planLimits(contextOf([a, b], { max_cycles: 3 }, ...steps)).cycles_left;
    // The round after the first is free; from then on the plan repeats itself.
    expect([[again()], [again(), again()], [again(), again(), again()]].map((each) => left(...each))).toEqual(
      [2, 2, 1],
    );
    expect(left(callStep(failedCall('a'), boundary('b')), again())).toBe(1);
  });

  it('are used up by a plan with a boundary once each time it is repeated', () => {
    const plan = [callStep(okCall('a'), boundary('b')), callStep(okCall('b'))];
    expect(planLimits(contextOf([a, b], { max_cycles: 3 }, ...plan, ...plan)).cycles_left).toBe(1);
  });

  it('continue after a boundary even when used up, but not in a loop', () => {
    const stopped = callStep(okCall('a'), boundary('b'));
    const limits = (...steps: RecordedStep[]) => planLimits(contextOf([a, b], { max_cycles: 1 }, ...steps));
    expect(limits(stopped)).toMatchObject({ cycles_left: 1, callable: [{}, {}] });
    expect(limits(stopped).must_finish).toBeUndefined();
    expect(limits(stopped, stopped)).toMatchObject({ cycles_left: 0, must_finish: expect.any(String) });
    expect(limits(stopped, callStep(okCall('b'))).cycles_left).toBe(0);
  });

  it('are limited to one in single_shot_dag, and continue only after a boundary', () => {
    expect(finish('single_shot_dag')).toBeUndefined();
    expect(finish('single_shot_dag', callStep(okCall('a')))).toContain('planned once');
    expect(finish('single_shot_dag', callStep(okCall('a'), boundary('b')))).toBeUndefined();
  });

  it('continue in single_shot_dag until the final tool has run', () => {
    const context = contextOf(
      [a, { ...b, final_tool: true }],
      { mode: 'single_shot_dag', force_final_tool: true },
      callStep(okCall('a')),
    );
    expect(planLimits(context).must_finish).toBeUndefined();
    expect(names(context)).toEqual(['b']);
  });

  it('add nothing to the declared graph in strict_user_dag', () => {
    expect(finish('strict_user_dag', callStep(okCall('a')))).toContain('declared graph');
    const open = contextOf([a, b], { mode: 'strict_user_dag' }, callStep(okCall('a'), boundary('b')));
    expect(names(open)).toEqual(['b']);
  });

  it('end after the first if follow-up actions are not allowed', () => {
    const context = contextOf([a], { allow_followup_actions: false }, callStep(okCall('a')));
    expect(planLimits(context).must_finish).toContain('Follow-up');
  });
});

describe('stop strategies', () => {
  const limits = (some: Partial<PlanConstraints>, ...steps: RecordedStep[]) =>
    planLimits(contextOf([a, { ...b, final_tool: true }], some, ...steps));

  it('orchestrator_decides leaves the end to the planner', () => {
    expect(limits({}, callStep(okCall('b')))).toMatchObject({ required: [] });
    expect(limits({}, callStep(okCall('b'))).ended_by).toBeUndefined();
  });

  it('final_tool_completed requires the final tool and ends the run with it', () => {
    const rule = { stop_strategy: 'final_tool_completed' } as const;
    expect(limits(rule).required).toEqual([{ tool_id: 't-b', reason: 'final_tool' }]);
    expect(limits(rule, callStep(okCall('b', 7))).ended_by).toMatchObject({ outcome: { result: 7 } });
  });

  it('objective_satisfied ends planning once no failure is left', () => {
    const rule = { stop_strategy: 'objective_satisfied' } as const;
    expect(limits(rule, callStep(failedCall('a'))).must_finish).toBeUndefined();
    expect(limits(rule, callStep(failedCall('a')), callStep(okCall('a'))).must_finish).toContain('objective');
  });

  it('blocker_detected ends planning at the first failure that is not retryable', () => {
    const rule = { stop_strategy: 'blocker_detected' } as const;
    expect(limits(rule, callStep(failedCall('a', { retryable: true }))).must_finish).toBeUndefined();
    expect(limits(rule, callStep(failedCall('a'))).must_finish).toContain('blocker');
    expect(limits({}, callStep(failedCall('a'))).must_finish).toBeUndefined();
  });

  it('max_cycles continues after a forced final tool instead of ending the run', () => {
    const forced = { force_final_tool: true };
    expect(limits(forced, callStep(okCall('b'))).ended_by).toBeDefined();
    expect(
      limits({ ...forced, stop_strategy: 'max_cycles' }, callStep(okCall('b'))).ended_by,
    ).toBeUndefined();
  });
});

describe('swarms', () => {
  const agent = (name: string, ...producers: string[]): ToolSketch => ({
    name,
    type: 'agent',
    properties: {
      prompt: { type: 'string' },
      ...Object.fromEntries(producers.map((each) => [each, { ...resultOf(each), tool_type: 'agent' }])),
    },
    required: ['prompt', ...producers],
  });
  const tools = [agent('researcher'), agent('writer', 'researcher'), agent('critic')];
  const swarm = (members: SwarmMember[]) => ({ swarm_name: 'desk', members, swarm_has_final_tool: false });
  const roster = swarm([
    swarmMember('researcher'),
    swarmMember('writer', { use_as_final_output: true }),
    swarmMember('critic'),
  ]);

  it('require the member that gives the final output, and those it depends on', () => {
    const context = contextOf(tools, { swarm: roster });
    expect(required(context)).toEqual(['researcher:final_member', 'writer:final_member']);
    expect(names(context)).toEqual(['researcher', 'writer', 'critic']);
  });

  it('end with the final member, whose response is unwrapped', () => {
    const done = okCall('writer', { result: null, response: 'Prose.' });
    const context = contextOf(tools, { swarm: roster }, callStep(okCall('researcher'), done));
    expect(planLimits(context).ended_by).toBe(done);
    expect(runResult(context)).toBe('Prose.');
  });

  it('continue after the final member if the output is supervised', () => {
    const context = contextOf(
      tools,
      { swarm: roster, final_output_mode: 'supervised' },
      callStep(okCall('researcher'), okCall('writer')),
    );
    expect(planLimits(context).ended_by).toBeUndefined();
    expect(names(context)).toEqual(['researcher', 'writer', 'critic']);
  });

  it('require every member once in strict_user_dag', () => {
    const context = contextOf(tools, { swarm: roster, mode: 'strict_user_dag' });
    expect(required(context)).toEqual([
      'researcher:declared_graph',
      'writer:declared_graph',
      'critic:declared_graph',
    ]);
    const later = contextOf(tools, { swarm: roster, mode: 'strict_user_dag' }, callStep(okCall('critic')));
    expect(names(later)).toEqual(['researcher', 'writer']);
  });

  it('run declared edges first in hybrid, then whatever the planner chooses', () => {
    const plain = swarm([swarmMember('researcher'), swarmMember('writer'), swarmMember('critic')]);
    const before = contextOf(tools, { swarm: plain, mode: 'hybrid' });
    expect(names(before)).toEqual(['researcher', 'writer']);
    const after = contextOf(
      tools,
      { swarm: plain, mode: 'hybrid' },
      callStep(okCall('researcher'), okCall('writer')),
    );
    expect(names(after)).toEqual(['researcher', 'writer', 'critic']);
  });

  it('never schedule a member that another one already invokes', () => {
    const lead = swarmMember('researcher', { invokes_via_dependency: ['ag-critic'] });
    const context = contextOf(tools, { swarm: swarm([lead, swarmMember('writer'), swarmMember('critic')]) });
    expect(names(context)).toEqual(['researcher', 'writer']);
  });
});

describe('runResult', () => {
  it('is the result of the final tool, else of the planner, else null', () => {
    const tools = [a, { ...b, final_tool: true }];
    expect(runResult(contextOf(tools, {}, callStep(okCall('b', 7))), 'x')).toBe(7);
    expect(runResult(contextOf(tools, {}, callStep(okCall('a', 7))), 'x')).toBe('x');
    expect(runResult(contextOf(tools, {}, callStep(okCall('a', 7))))).toBeNull();
  });

  it('in a member session is what no other tool consumed', () => {
    const tools = [a, { name: 'c', properties: { x: resultOf('a') }, required: ['x'] }, b];
    const invocation = { agent_name: 'm', use_as_final_output: false, nested_synthesis: 'auto' } as const;
    const one = contextOf(tools, { invocation }, callStep(okCall('a', 1), okCall('c', 2)));
    expect(runResult(one)).toBe(2);
    const two = contextOf(tools, { invocation }, callStep(okCall('a', 1), okCall('c', 2), okCall('b', 3)));
    expect(runResult(two)).toEqual({ c: 2, b: 3 });
  });
});
