import { expect, it } from 'vitest';
import type { PlanConstraints, SwarmMember } from '../../../src/planning/plan-context.js';
import { exhaustedRequirement, planLimits } from '../../../src/planning/policy/plan-limits.js';
import {
  callStep,
  constraints,
  failedCall,
  okCall,
  planContext,
  resultOf,
  swarmMember,
  toolsOf,
} from '../plan-fixtures.js';

const boundary = (name: string) => failedCall(name, { code: 'REEVALUATE_BOUNDARY' });

const swarmOf = (...members: SwarmMember[]): Partial<PlanConstraints> => ({
  swarm: { swarm_name: 'desk', members, swarm_has_final_tool: true },
});

it.each(['ag-critic', 't-critic', 'critic'])(
  'does not schedule a member that another one invokes as %s',
  (invoked) => {
    const tools = toolsOf({ name: 'writer', type: 'agent' }, { name: 'critic', type: 'agent' });
    const swarm = swarmOf(
      swarmMember('writer', { invokes_via_dependency: [invoked] }),
      swarmMember('critic'),
    );
    const { callable } = planLimits(planContext({ tools, constraints: constraints(swarm) }));
    expect(callable.map(({ name }) => name)).toEqual(['writer']);
  },
);

it('schedules a member that another one invokes if a third one takes its result', () => {
  const taking = (name: string) => ({ properties: { notes: resultOf(name) }, required: ['notes'] });
  const tools = toolsOf(
    { name: 'writer', type: 'agent' },
    { name: 'source', type: 'agent' },
    { name: 'critic', type: 'agent', ...taking('source') },
    { name: 'editor', type: 'agent', ...taking('critic') },
    { name: 'other', type: 'agent' },
  );
  const swarm = swarmOf(
    swarmMember('writer', { invokes_via_dependency: ['source', 'critic', 'other'] }),
    ...['source', 'critic', 'editor', 'other'].map((name) => swarmMember(name)),
  );
  const { callable } = planLimits(planContext({ tools, constraints: constraints(swarm) }));
  expect(callable.map(({ name }) => name)).toEqual(['writer', 'source', 'critic', 'editor']);
});

it('requires the final tool of a strict_user_dag swarm in addition to its members', () => {
  const tools = toolsOf({ name: 'writer', type: 'agent' }, { name: 'sum', final_tool: true });
  const strict = constraints({ ...swarmOf(swarmMember('writer')), mode: 'strict_user_dag' });
  const { required } = planLimits(planContext({ tools, constraints: strict }));
  expect(required.map(({ tool_id }) => tool_id)).toEqual(['t-writer', 't-sum']);
});

it('does not require the member that gives the final output if the swarm’s own final tool makes the result', () => {
  const tools = toolsOf({ name: 'writer', type: 'agent' }, { name: 'sum', final_tool: true });
  const forced = constraints({
    ...swarmOf(swarmMember('writer', { use_as_final_output: true })),
    force_final_tool: true,
  });
  const { required } = planLimits(planContext({ tools, constraints: forced }));
  expect(required).toEqual([{ tool_id: 't-sum', reason: 'final_tool' }]);
});

it('ends a structured run with the structured result, not with the member that gives the final output', () => {
  const tools = toolsOf({ name: 'writer', type: 'agent' }, { name: 'order', final_tool: true });
  const structured = constraints({
    ...swarmOf(swarmMember('writer', { use_as_final_output: true })),
    structured_output: { name: 'order', schema: {}, tool_id: 't-order' },
  });
  const [prose, order] = [okCall('writer', 'Prose.'), okCall('order', { id: 'A-17' })];
  const contextAfter = (...calls: Parameters<typeof callStep>) =>
    planContext({ tools, constraints: structured, steps: [callStep(...calls)] });
  expect(planLimits(contextAfter(prose)).ended_by).toBeUndefined();
  expect(planLimits(contextAfter(prose, order)).ended_by).toBe(order);
  const supervised = constraints({ ...structured, final_output_mode: 'supervised' });
  const context = { ...contextAfter(prose, order), constraints: supervised };
  expect(planLimits(context).ended_by).toBe(order);
});

it('ends a run with the last result of its final tool', () => {
  const steps = [callStep(okCall('a', 'first')), callStep(okCall('a', 'last'))];
  const forced = constraints({ force_final_tool: true });
  const tools = toolsOf({ name: 'a', final_tool: true });
  expect(planLimits(planContext({ tools, constraints: forced, steps })).ended_by).toMatchObject({
    outcome: { result: 'last' },
  });
});

it('does not treat a call stopped at a boundary as a blocker, nor as a retry of a failed call', () => {
  const stop = constraints({ stop_strategy: 'blocker_detected' });
  const tools = toolsOf({ name: 'a' }, { name: 'b' });
  const finish = (...calls: Parameters<typeof callStep>) =>
    planLimits(planContext({ tools, constraints: stop, steps: [callStep(...calls)] })).must_finish;
  expect(finish(okCall('a'), boundary('b'))).toBeUndefined();
  expect(finish(failedCall('a'), boundary('a'))).toContain('first blocker');
});

it('does not end a run before every tool that must run was tried, even if its final tool has answered', () => {
  const tools = toolsOf({ name: 'a', final_tool: true }, { name: 'audit', always_execute: true });
  const forced = constraints({ force_final_tool: true });
  const endOf = (...calls: Parameters<typeof callStep>) =>
    planLimits(planContext({ tools, constraints: forced, steps: [callStep(...calls)] })).ended_by;
  const done = okCall('a');
  expect(endOf(done)).toBeUndefined();
  expect(endOf(done, okCall('audit'))).toBe(done);
  expect(endOf(done, failedCall('audit'))).toBe(done);
});

it('gives up a tool that must run when a boundary has stopped it three times and nothing new answered', () => {
  const tools = toolsOf({ name: 'a' }, { name: 'b' }, { name: 'audit', always_execute: true });
  const requiredAfter = (...steps: ReturnType<typeof callStep>[]) =>
    planLimits(planContext({ tools, steps })).required.map(({ tool_id }) => tool_id);
  const idle = callStep(failedCall('a'), boundary('audit'));
  expect(requiredAfter(callStep(okCall('b'), boundary('audit')), idle, idle)).toEqual(['t-audit']);
  expect(requiredAfter(idle, callStep(okCall('a')), idle, idle)).toEqual([]);
});

it('lets a producer that failed be called again while a tool that must run needs it, up to three times', () => {
  const text = { type: 'string' };
  const tools = toolsOf(
    { name: 'find', properties: { text }, required: ['text'] },
    { name: 'audit', properties: { found: resultOf('find') }, required: ['found'], always_execute: true },
  );
  const once = constraints({ allow_followup_actions: false });
  const limitsAfter = (times: number) => {
    const steps = Array.from({ length: times }, () => callStep(failedCall('find')));
    const { required, callable } = planLimits(planContext({ tools, constraints: once, steps }));
    return { required: required.map((each) => each.tool_id), callable: callable.map((each) => each.tool_id) };
  };
  expect(limitsAfter(2)).toEqual({ required: ['t-audit'], callable: ['t-find', 't-audit'] });
  expect(limitsAfter(3)).toEqual({ required: [], callable: [] });
});

it('gives up a final tool that a boundary still stops after the planner’s own rounds', () => {
  const tools = toolsOf({ name: 'a' }, { name: 'b', final_tool: true });
  const forced = constraints({ force_final_tool: true, max_cycles: 2 });
  const exhaustedAfter = (times: number) => {
    const steps = Array.from({ length: times }, () => callStep(boundary('a'), boundary('b')));
    return exhaustedRequirement(planContext({ tools, constraints: forced, steps }));
  };
  expect(exhaustedAfter(4)).toBeUndefined();
  expect(exhaustedAfter(5)).toMatchObject({ tool: { name: 'b' } });
});
