import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/agent.js';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../src/decorators/depends-on.js';
import { dependsOnAwaitFor } from '../../src/decorators/order.js';
import { toolify } from '../../src/decorators/toolify.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { setUp } from './swarm-doubles.js';

const final = () => toolify({ name: 'answer', description: 'a', finalTool: true }, () => 42);

describe('the final output of a swarm', () => {
  it.each<[string, (agent: (name: string, options?: object) => Agent) => object, string]>([
    [
      'two members with useAsFinalOutput',
      (agent) => ({
        agents: [agent('a', { useAsFinalOutput: true }), agent('b', { useAsFinalOutput: true })],
      }),
      'SWARM_MEMBER',
    ],
    [
      'a final tool of the swarm besides a member with useAsFinalOutput',
      (agent) => ({ agents: [agent('a', { useAsFinalOutput: true })], tools: [final()] }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'a forced final tool that nobody has',
      (agent) => ({ agents: [agent('a')], forceFinalTool: true }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'a forced final tool that two members have',
      (agent) => ({
        agents: [agent('a', { tools: [final()] }), agent('b', { tools: [final()] })],
        forceFinalTool: true,
      }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'a forced final tool that two members have, but not the one with useAsFinalOutput',
      (agent) => ({
        agents: [
          agent('a', { tools: [final()] }),
          agent('b', { tools: [final()] }),
          agent('c', { useAsFinalOutput: true }),
        ],
        forceFinalTool: true,
      }),
      'SWARM_FINAL_OUTPUT',
    ],
  ])('is refused before any request: %s', async (_name, options, code) => {
    await using setup = await setUp(() => {});
    const make = async () => new Swarm({ name: 's', ...options(setup.agent) }).invoke('x');
    await expect(make()).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('is forced at the root if the member with useAsFinalOutput has a final tool', async () => {
    await using setup = await setUp((session) => session.finish());
    const agents = [setup.agent('a'), setup.agent('b', { tools: [final()], useAsFinalOutput: true })];
    await new Swarm({ name: 's', agents, forceFinalTool: true }).invoke('x');
    expect(setup.orchestrator.sessions.get('session-1')?.state).toMatchObject({
      force_final_tool: true,
      swarm_config: {
        agent_roster: [
          { name: 'a', has_final_tool: false },
          { name: 'b', has_final_tool: true },
        ],
      },
    });
  });
});

it.each<[string, object]>([
  ['a forced final tool of its own', { tools: [final()], forceFinalTool: true }],
  ['a final tool in each member, none of them forced', {}],
])('a swarm may have %s', async (_name, options) => {
  await using setup = await setUp((session) => session.finish());
  const own = () => toolify({ name: 'reply', description: 'r', finalTool: true }, () => 1);
  const agents =
    'tools' in options ? [setup.agent('a')] : ['a', 'b'].map((name) => setup.agent(name, { tools: [own()] }));
  const swarm = new Swarm({ name: 's', agents, ...options });
  expect(await swarm.invoke('x')).toMatchObject({ status: 'completed' });
});

describe('members', () => {
  it.each<[string, (swarm: Swarm, agent: Agent) => unknown, string]>([
    ['must have unique names', (swarm, agent) => swarm.addAgent(agent).addAgent(agent), 'SWARM_MEMBER'],
    [
      'cannot depend on themselves',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: dependsOnAgent(agent) } }),
      'SWARM_INVALID_DEPENDENCY',
    ],
    [
      'cannot have anything but a dependency injected',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: 5 as never } }),
      'TOOL_INVALID_REFERENCE',
    ],
    [
      'cannot have private data injected',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: dependsOnPrivateData('k') } }),
      'SWARM_INVALID_DEPENDENCY',
    ],
    [
      'cannot have an interrupt injected',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: dependsOnInterrupt({ prompt: '?' }) } }),
      'SWARM_INVALID_DEPENDENCY',
    ],
    [
      'cannot have a reserved argument injected',
      (swarm, agent) => swarm.addAgent(agent, { inject: { prompt: dependsOnTool('t') } }),
      'SWARM_RESERVED_ARGUMENT',
    ],
  ])('%s', async (_name, add, code) => {
    await using setup = await setUp(() => {});
    expect(() => add(new Swarm({ name: 's' }), setup.agent('a'))).toThrow(expect.objectContaining({ code }));
  });

  it.each([true, false])('cannot have the name of a tool of the swarm (finalTool: %s)', async (finalTool) => {
    await using setup = await setUp((session) => session.finish());
    const tool = toolify({ name: 'answer', description: 'a', finalTool }, () => 1);
    const swarm = new Swarm({ name: 's', agents: [setup.agent('answer')], tools: [tool] });
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code: 'TOOL_DUPLICATE_NAME' });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([
    ['inject', { inject: { found: dependsOnTool('lookup') } }],
    ['order', { order: [dependsOnAwaitFor('lookup')] }],
  ])('may own the tool that a tool of the swarm depends on (%s)', async (_option, needs) => {
    await using setup = await setUp((session) => session.finish());
    const lookup = () => toolify({ name: 'lookup', description: 'l' }, () => 1);
    const agents = ['a', 'b'].map((name) => setup.agent(name, { tools: [lookup()] }));
    const tool = toolify({ name: 'sum_up', description: 's', ...needs }, () => 2);
    await new Swarm({ name: 's', agents, tools: [tool] }).invoke('x');
    expect(setup.orchestrator.requests).not.toEqual([]);
  });

  it.each<[string, () => object, string]>([
    ['a tool with the name of a tool of the swarm', () => ({ name: 'answer' }), 'TOOL_DUPLICATE_NAME'],
    ['a final tool besides the swarm’s', () => ({ name: 'reply', finalTool: true }), 'CONFIG_FINAL_TOOL'],
    [
      'a tool that depends on an unknown one',
      () => ({ inject: { x: dependsOnTool('lost') } }),
      'DEPENDENCY_UNKNOWN',
    ],
    ['a tool that waits for itself', () => ({ order: [dependsOnAwaitFor('work')] }), 'DEPENDENCY_CYCLE'],
  ])('cannot have %s, which fails before any request', async (_name, options, code) => {
    await using setup = await setUp((session) => session.finish());
    const own = toolify({ name: 'work', description: 'w', ...options() }, () => 1);
    const agents = [setup.agent('a'), setup.agent('b', { tools: [own] })];
    const swarm = new Swarm({ name: 's', agents, tools: [final()] });
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('can be found by name and listed', async () => {
    await using setup = await setUp(() => {});
    const agent = setup.agent('a');
    const swarm = new Swarm({ name: 's', agents: [agent] });
    expect(swarm.getAgent('a')).toBe(agent);
    expect(swarm.getAgent('b')).toBeUndefined();
    expect(swarm.getAgent(null as never)).toBeUndefined();
    expect(swarm.listAgents()).toEqual([agent]);
  });
});
