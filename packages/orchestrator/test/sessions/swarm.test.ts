import { describe, expect, it } from 'vitest';
import { memberSpec, request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const rosterEntry = (name: string, rest = {}) => ({
  agent_id: `ag-${name}`,
  name,
  invocation_tool_id: `t-${name}`,
  ...rest,
});
const swarm = (...agent_roster: object[]) => ({
  swarm_config: { invocation_intent: true, swarm_id: 'sw', swarm_name: 'desk', agent_roster },
});

const notes = {
  type: 'tool_dependency',
  tool_id: 't-researcher',
  tool_name: 'researcher',
  tool_type: 'agent',
};
const deskTools = [memberSpec('researcher'), memberSpec('writer', { notes })];
const desk = swarm(rosterEntry('researcher'), rosterEntry('writer', { use_as_final_output: true }));

describe('a swarm', () => {
  it('calls members in order, reports the status of each and ends with the answer of the last', async () => {
    const planner = scriptedPlanner([
      call(['t-writer', { prompt: 'Write two lines' }], ['t-researcher', { prompt: 'Collect facts' }]),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('Two lines about tea', deskTools, desk));
    const researcher = await bench.call(id, 'researcher');
    await bench.post(id, researcher.id, { result: { facts: 1 }, assistant_id: 'a' });
    const writer = await bench.call(id, 'writer');
    expect(writer.args).toEqual({ prompt: 'Write two lines', use_as_final_output: true });
    await bench.post(id, writer.id, { result: null, response: 'Tea is a plant.' });
    expect(await bench.final(id)).toMatchObject({
      status: 'completed',
      responses: ['Tea is a plant.'],
      result: 'Tea is a plant.',
    });
    const actions = (await bench.events(id)).filter(({ payload }) => payload.action_type === 'swarm_agent');
    expect(actions.map(({ payload }) => payload)).toMatchObject([
      {
        action_id: researcher.id,
        action_name: 'researcher',
        status: 'started',
        task: 'Collect facts',
        swarm_name: 'desk',
      },
      { action_id: researcher.id, status: 'completed', result: { result: { facts: 1 } } },
      { action_id: writer.id, action_name: 'writer', status: 'started' },
      { action_id: writer.id, status: 'completed' },
    ]);
    const phases = (await bench.events(id)).filter(({ name }) => name === 'enrichment');
    expect(
      phases.every(({ payload }) => payload.scope_type === 'swarm' && payload.scope_name === 'desk'),
    ).toBe(true);
  });

  it.each([
    ['that gives the answer', { use_as_final_output: true, has_final_tool: true }, { has_final_tool: true }],
    ['that alone has a final tool', { has_final_tool: true }, { use_as_final_output: true }],
  ])('forces the final tool on the member %s', async (_which, final, other) => {
    const roster = swarm(rosterEntry('researcher', other), rosterEntry('writer', final));
    const forced = { ...roster, force_final_tool: true };
    const steps = [call(['t-researcher', { prompt: 'x' }]), call(['t-writer', { prompt: 'y' }])];
    const bench = new SessionBench({ planner: scriptedPlanner(steps) });
    const id = await bench.start(request('go', [memberSpec('researcher'), memberSpec('writer')], forced));
    const researcher = await bench.call(id, 'researcher');
    expect(researcher.args).toEqual({ prompt: 'x' });
    await bench.post(id, researcher.id, { result: { facts: 1 } });
    const writer = await bench.call(id, 'writer');
    expect(writer.args).toEqual({ prompt: 'y', use_as_final_output: true, force_final_tool: true });
    await bench.post(id, writer.id, { result: { total: 3 } });
    expect(await bench.final(id)).toMatchObject({ status: 'completed', result: { total: 3 } });
  });

  it('reports a member as failed when an original client posts null for it', async () => {
    const planner = scriptedPlanner([call(['t-researcher', { prompt: 'x' }]), finish('Nobody knows.')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [memberSpec('researcher')], swarm(rosterEntry('researcher'))));
    const { id: callId } = await bench.call(id, 'researcher');
    await bench.postPlain(id, callId, null);
    await bench.final(id);
    const failed = (await bench.events(id)).find(({ payload }) => payload.status === 'failed');
    expect(failed?.payload).toMatchObject({ action_id: callId, error: 'The agent gave no answer.' });
  });

  it('does not report a member that is skipped because its producer failed', async () => {
    const both = call(['t-researcher', { prompt: 'x' }], ['t-writer', { prompt: 'y' }]);
    const bench = new SessionBench({ planner: scriptedPlanner([both, finish('Nobody knows.')]) });
    const id = await bench.start(
      request('go', deskTools, swarm(rosterEntry('researcher'), rosterEntry('writer'))),
    );
    await bench.postPlain(id, (await bench.call(id, 'researcher')).id, null);
    await bench.final(id);
    const actions = (await bench.events(id)).filter(({ payload }) => payload.action_type === 'swarm_agent');
    expect(actions.map(({ payload }) => [payload.action_name, payload.status])).toEqual([
      ['researcher', 'started'],
      ['researcher', 'failed'],
    ]);
  });
});

describe('the nested session of a member', () => {
  it('reports its phases under the agent and stores no turn in the thread', async () => {
    const nested = {
      swarm_config: {
        agent_invocation: true,
        invoked_agent_id: 'ag-1',
        invoked_agent_name: 'researcher',
        agent_roster: [],
      },
    };
    const bench = new SessionBench({ planner: scriptedPlanner(() => [finish('facts')]) });
    const id = await bench.start(request('facts?', [], nested), { threadId: 'thread-1' });
    await bench.final(id);
    const [phase] = (await bench.events(id)).filter(({ name }) => name === 'enrichment');
    expect(phase?.payload).toMatchObject({ scope_type: 'agent', scope_id: 'ag-1', scope_name: 'researcher' });
    const turns = { projectId: 'p', collection: 'thread:thread-1', nowMs: bench.clock.nowMs(), limit: 5 };
    expect(await bench.store.listDocuments(turns)).toEqual([]);
  });

  it.each([
    { included: false, calls: true, responses: [], result: { facts: 3 } },
    { included: 'auto', calls: true, responses: ['Three facts.'], result: { facts: 3 } },
    { included: false, calls: false, responses: ['Three facts.'], result: null },
  ])(
    'omits prose only if that was requested and it has a result ($included, result: $calls)',
    async (given) => {
      const nested = {
        swarm_config: {
          agent_invocation: true,
          invoked_agent_id: 'ag-1',
          invoked_agent_name: 'researcher',
          agent_roster: [],
          included_nested_synthesis: given.included,
        },
      };
      const steps = given.calls ? [call(['t-look', {}]), finish('Three facts.')] : [finish('Three facts.')];
      const bench = new SessionBench({ planner: scriptedPlanner(steps) });
      const id = await bench.start(request('facts?', [toolSpec('look')], nested));
      if (given.calls) await bench.post(id, (await bench.call(id, 'look')).id, { facts: 3 });
      expect(await bench.final(id)).toMatchObject({
        status: 'completed',
        responses: given.responses,
        result: given.result,
      });
    },
  );
});

it.each(['strict_user_dag', 'hybrid', 'supervisor_loop'])(
  'fails a swarm in %s when the member that gives the answer keeps failing',
  async (mode) => {
    const [research, write] = [call(['t-researcher', { prompt: 'p' }]), call(['t-writer', { prompt: 'p' }])];
    const bench = new SessionBench({
      planner: scriptedPlanner([research, write, write, write, finish('?')]),
    });
    const id = await bench.start(request('go', deskTools, { ...desk, orchestration_config: { mode } }));
    await bench.post(id, (await bench.call(id, 'researcher')).id, 'notes');
    for (const nth of [1, 2, 3]) {
      const { id: callId } = await bench.call(id, 'writer', nth);
      await bench.postError(id, callId, { code: 'E', message: 'no' });
    }
    expect(await bench.final(id)).toMatchObject({
      status: 'failed',
      error_info: { code: 'REQUIRED_TOOL_FAILED' },
    });
  },
);
