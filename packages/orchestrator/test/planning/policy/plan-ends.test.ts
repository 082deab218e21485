import { expect, it } from 'vitest';
import type { PlanConstraints, SwarmMember } from '../../../src/planning/plan-context.js';
import { planLimits } from '../../../src/planning/policy/plan-limits.js';
import {
  callStep,
  constraints,
  failedCall,
  okCall,
  planContext,
  swarmMember,
  toolsOf,
} from '../plan-fixtures.js';

const boundary = (name: string) => failedCall(name, { code: 'REEVALUATE_BOUNDARY' });

const swarmOf = (...members: SwarmMember[]): Partial<PlanConstraints> => ({
  swarm: { swarm_name: 'desk', members, swarm_has_final_tool: true },
});

it.each(['ag-critic', 't-critic', 'critic'])(
  'a member that another one invokes as %s is not scheduled again',
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

it('a strict swarm runs its own final tool as well', () => {
  const tools = toolsOf({ name: 'writer', type: 'agent' }, { name: 'sum', final_tool: true });
  const strict = constraints({ ...swarmOf(swarmMember('writer')), mode: 'strict_user_dag' });
  const { required } = planLimits(planContext({ tools, constraints: strict }));
  expect(required.map(({ tool_id }) => tool_id)).toEqual(['t-writer', 't-sum']);
});

it('a run ends with what its final tool gave last', () => {
  const steps = [callStep(okCall('a', 'first')), callStep(okCall('a', 'last'))];
  const forced = constraints({ force_final_tool: true });
  const tools = toolsOf({ name: 'a', final_tool: true });
  expect(planLimits(planContext({ tools, constraints: forced, steps })).ended_by).toMatchObject({
    outcome: { result: 'last' },
  });
});

it('a call beyond a boundary is no blocker, and mends no failure before it', () => {
  const stop = constraints({ stop_strategy: 'blocker_detected' });
  const tools = toolsOf({ name: 'a' }, { name: 'b' });
  const finish = (...calls: Parameters<typeof callStep>) =>
    planLimits(planContext({ tools, constraints: stop, steps: [callStep(...calls)] })).must_finish;
  expect(finish(okCall('a'), boundary('b'))).toBeUndefined();
  expect(finish(failedCall('a'), boundary('a'))).toContain('first blocker');
});
