import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent, dependsOnTool } from '../../src/decorators/depends-on.js';
import { toolify } from '../../src/decorators/toolify.js';
import { Swarm } from '../../src/swarms/swarm.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import type { Tool } from '../../src/tools/declaration/tool.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';
import { startAgent } from '../agent-setup.js';

/** Every agent calls each of its own tools once and finishes with the last result. */
async function callEveryTool(session: ScriptedSession): Promise<void> {
  let result: unknown = null;
  for (const { name, tool_type: type } of session.state.tools)
    if (type !== 'agent') result = await session.callTool(name);
  session.finish({ result });
}

/** The root calls its first member; everyone else calls their own tools. */
async function callNext(session: ScriptedSession): Promise<void> {
  if (session.state.swarm_config?.invoked_agent_name) return callEveryTool(session);
  const [first] = session.state.tools;
  session.finish({ result: await session.callTool(String(first?.name), { prompt: 'go' }) });
}

/** A tool that returns the result of an agent. */
function asking(owner: Agent, asked: Agent | string, name: string): Tool {
  return owner.toolify(
    { name, description: 'Asks', inject: { answer: dependsOnAgent(asked) } },
    ({ answer }) => answer.result,
  );
}

describe('an agent whose tool depends on the agent itself', () => {
  it('is refused before any request', async () => {
    await using setup = await startAgent(callEveryTool);
    asking(setup.agent, setup.agent, 'ask_myself');
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_CYCLE',
      details: { path: 'billing → ask_myself → billing' },
    });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('is refused before any request as a member whose tool names it', async () => {
    await using setup = await startAgent(callEveryTool);
    asking(setup.agent, 'billing', 'ask_myself');
    await using swarm = new Swarm({ name: 'desk', agents: [setup.agent] });
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code: 'DEPENDENCY_CYCLE' });
    expect(setup.orchestrator.requests).toEqual([]);
  });
});

it('an agent that depends on itself through another one fails with DEPENDENCY_CYCLE', async () => {
  await using setup = await startAgent(callEveryTool);
  const { agent } = setup;
  await using other = new Agent({ name: 'shipping', client: agent.client });
  asking(agent, other, 'ask_shipping');
  asking(other, agent, 'ask_billing');
  const { result } = await agent.invoke('x');
  expect(JSON.stringify(result)).toContain('DEPENDENCY_CYCLE');
  expect(setup.orchestrator.sessions.size).toBeLessThan(5);
});

describe('two agents with the same name', () => {
  it('are refused as dependencies of one agent', async () => {
    await using setup = await startAgent(callEveryTool);
    const { agent } = setup;
    await using one = new Agent({ name: 'helper', client: agent.client });
    await using two = new Agent({ name: 'helper', client: agent.client });
    asking(agent, one, 'ask_one');
    asking(agent, two, 'ask_two');
    await expect(agent.invoke('x')).rejects.toMatchObject({
      code: 'TOOL_DUPLICATE_NAME',
      details: { name: 'helper' },
    });
  });

  it('are refused if one is a member and a tool of the swarm depends on the other', async () => {
    await using setup = await startAgent(callEveryTool);
    const { agent } = setup;
    await using member = new Agent({ name: 'helper', client: agent.client });
    await using other = new Agent({ name: 'helper', client: agent.client });
    await using swarm = new Swarm({ name: 'desk', client: agent.client, agents: [member] });
    swarm.toolify(
      { name: 'ask', description: 'Asks', finalTool: true, inject: { answer: dependsOnAgent(other) } },
      ({ answer }) => answer.result,
    );
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code: 'TOOL_DUPLICATE_NAME' });
  });

  it('are told apart if one is a member and a member’s tool depends on the other', async () => {
    await using setup = await startAgent(callNext);
    const { agent } = setup;
    await using member = new Agent({ name: 'helper', client: agent.client });
    await using other = new Agent({ name: 'helper', client: agent.client });
    member.toolify({ name: 'sign', description: 'Signs' }, () => 'by the member');
    other.toolify({ name: 'sign', description: 'Signs' }, () => 'by the other');
    asking(agent, other, 'ask_other');
    await using swarm = new Swarm({ name: 'desk', client: agent.client, agents: [agent, member] });
    const { result } = await swarm.invoke('x');
    expect(JSON.stringify(result)).toContain('by the other');
  });
});

it('an agent dependency with the name of a tool is refused, and the error says so', async () => {
  await using setup = await startAgent(callEveryTool);
  const { agent } = setup;
  await using helper = new Agent({ name: 'helper', client: agent.client });
  agent.toolify({ name: 'helper', description: 'A function' }, () => 'no agent');
  asking(agent, helper, 'ask');
  await expect(agent.invoke('x')).rejects.toMatchObject({
    code: 'TOOL_DUPLICATE_NAME',
    message: expect.stringContaining("A tool depends on an agent named 'helper', but another tool"),
  });
});

it('an agent that several tools depend on is listed once in the tools of the run', async () => {
  await using setup = await startAgent(callEveryTool);
  const { agent } = setup;
  await using helper = new Agent({ name: 'helper', client: agent.client });
  asking(agent, helper, 'ask_first');
  asking(agent, helper, 'ask_second');
  await agent.invoke('x');
  const [body] = setup.bodies('/start-session');
  const names = Object(body).state.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['ask_first', 'ask_second', 'helper']);
});

it('a member with injected results can be a dependency of another member’s tool', async () => {
  await using setup = await startAgent(async (session) => {
    const asked = session.state.swarm_config?.invoked_agent_name ?? 'desk';
    const calls: Record<string, string> = { desk: 'billing', billing: 'ask_writer' };
    const next = calls[asked];
    const answer = next === undefined ? `from ${asked}` : await session.callTool(next, { prompt: 'go' });
    session.finish({ result: answer });
  });
  const { agent } = setup;
  await using weather = new Agent({ name: 'weather', client: agent.client });
  await using writer = new Agent({ name: 'writer', client: agent.client });
  await using swarm = new Swarm({ name: 'desk', client: agent.client, agents: [weather] });
  const sign = toolify({ name: 'sign', description: 'Signs', finalTool: true }, () => 'signed');
  swarm.addTool(sign, new ToolOverride({ name: 'sign_off' }));
  swarm.addAgent(writer, { inject: { forecast: dependsOnAgent(weather), signature: dependsOnTool(sign) } });
  swarm.addAgent(agent);
  asking(agent, writer, 'ask_writer');
  const { result } = await swarm.invoke('x');
  expect(result).toMatchObject({ result: { result: { status: 'ok', result: 'from writer' } } });
  const prompts = setup.bodies('/start-session').map((body) => Object(body).state.messages[0].content);
  expect(prompts.at(-1)).toMatch(/"result": "from weather"[^]*"signature": "signed"/);
});
