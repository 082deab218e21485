import { createOrchestrator } from '@svc/orchestrator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { Client } from '../../src/client/client.js';
import { dependsOnAgent, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import { toolify } from '../../src/decorators/toolify.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { collect } from '../agent-setup.js';
import { memberOf, setUp } from './swarm-doubles.js';

describe('a dependency with its own prompt, planned by the built-in planner', () => {
  const City = z.object({ city: z.string() });
  const prompt = () => 'Get the weather of "Bergen"';

  async function ask(start: (weather: Agent, client: Client) => Agent | Swarm): Promise<string[]> {
    await using orchestrator = createOrchestrator();
    await orchestrator.listen({ port: 0 });
    await using client = new Client({ apiKey: orchestrator.apiKey, baseUrl: orchestrator.url });
    await using weather = new Agent({ name: 'weather', description: 'Tells the weather of a city', client });
    const asked: string[] = [];
    weather.toolify(
      { name: 'get_weather', description: 'Get the weather of a city', input: City },
      ({ city }) => asked.push(city),
    );
    await using scope = start(weather, client);
    expect(await scope.invoke('Plan a trip to "Oslo"')).toMatchObject({ status: 'completed' });
    return asked;
  }

  it('has the agent called with it for a tool', async () => {
    const asked = await ask((weather, client) => {
      const boss = new Agent({ name: 'boss', client });
      const inject = { forecast: dependsOnAgent(weather, { prompt }) };
      boss.toolify(
        { name: 'plan_trip', description: 'Plan a trip to a city', input: City, inject },
        ({ city }) => city,
      );
      return boss;
    });
    expect(asked).toEqual(['Bergen']);
  });

  it('has the agent called with it for a member of a swarm', async () => {
    const asked = await ask((weather, client) => {
      const writer = new Agent({ name: 'writer', description: 'Plans a trip to a city', client });
      writer.toolify(
        { name: 'plan_trip', description: 'Plan a trip to a city', input: City },
        ({ city }) => city,
      );
      const swarm = new Swarm({ name: 'travel', client });
      swarm.addAgent(weather);
      swarm.addAgent(writer, { inject: { forecast: dependsOnAgent(weather, { prompt }) } });
      return swarm;
    });
    expect(asked).toEqual(['Bergen']);
  });
});

describe('a tool that depends on an agent', () => {
  const Topic = z.object({ topic: z.string() });

  it('receives the answer of the agent that the planner called', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session))
        return session.finish({ responses: [`on ${String(session.state.messages[0]?.content)}`] });
      await session.callTool('researcher', { prompt: 'tea' });
      session.finish({ result: await session.callTool('write', { topic: 'x' }) });
    });
    const researcher = setup.agent('researcher');
    const writer = setup.agent('writer');
    const inject = { facts: dependsOnAgent(researcher) };
    writer.toolify({ name: 'write', description: 'w', input: Topic, inject }, ({ facts }) => facts.response);
    expect((await writer.invoke('x')).result).toMatchObject({ result: 'on tea' });
    const [state] = [...setup.orchestrator.sessions.values()].map((session) => session.state);
    expect(state?.tools.map(({ name, tool_type: type }) => [name, type])).toEqual([
      ['write', 'func'],
      ['researcher', 'agent'],
    ]);
  });

  it.each([
    ['its own prompt', (args: object) => `about ${JSON.stringify(args)}`, 'on about {"topic":"x"}'],
    ['the message of the run', undefined, 'on Write about tea'],
  ])('calls the agent with %s if the planner did not', async (_name, prompt, expected) => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session))
        return session.finish({ responses: [`on ${String(session.state.messages[0]?.content)}`] });
      session.finish({ result: await session.callTool('write', { topic: 'x', facts: 'planted' }, 'ev-1') });
    });
    const writer = setup.agent('writer');
    const inject = { facts: dependsOnAgent(setup.agent('researcher'), prompt ? { prompt } : {}) };
    writer.toolify({ name: 'write', description: 'w', input: Topic, inject }, ({ facts }) => facts.response);
    const run = writer.stream('Write about tea');
    const ids = (await collect(run)).map(({ payload }) => payload['tool_id']);
    expect(ids).toContain('ev-1/researcher');
    expect((await run.response).result).toMatchObject({ result: expected });
  });

  it('by name is refused outside a swarm', async () => {
    await using setup = await setUp(() => {});
    const writer = setup.agent('writer');
    writer.toolify(
      { name: 'write', description: 'w', inject: { facts: dependsOnAgent('researcher') } },
      () => 1,
    );
    await expect(writer.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_UNKNOWN',
      message: expect.stringContaining("unknown agent 'researcher'"),
    });
    const swarm = new Swarm({ name: 's', agents: [writer, setup.agent('researcher')] });
    void swarm.invoke('x').catch(() => undefined);
    await expect.poll(() => setup.orchestrator.sessions.size).toBe(1);
    const roster = setup.orchestrator.sessions.get('session-1')?.state.swarm_config?.agent_roster;
    expect(roster?.[0]).toMatchObject({
      name: 'writer',
      invokes_via_dependency: ['researcher'],
    });
    await swarm.close();
  });

  it('shares nothing of its swarm with an agent outside, but a member called by that agent gets it all', async () => {
    await using setup = await setUp(async (session) => {
      const next: Record<string, string> = { writer: 'ask_outsider', outsider: 'ask_member', member: 'sign' };
      const name = next[memberOf(session) ?? ''];
      const answer = name
        ? await session.callTool(name)
        : await session.callTool('writer', { prompt: 'Write' });
      session.finish({ result: answer });
    });
    const [writer, outsider, member] = ['writer', 'outsider', 'member'].map((name) => setup.agent(name));
    const asking = (owner: typeof writer, asked: typeof writer, name: string) =>
      owner?.toolify({ name, description: 'Asks', inject: { answer: dependsOnAgent(asked ?? '') } }, () => 1);
    asking(writer, outsider, 'ask_outsider');
    asking(outsider, member, 'ask_member');
    const seen: string[] = [];
    const inject = { pin: dependsOnPrivateData('pin') };
    member?.toolify({ name: 'sign', description: 'Signs', inject }, ({ pin }) => void seen.push(pin));
    const swarm = new Swarm({ name: 's', agents: [writer, member].flatMap((agent) => agent ?? []) });
    swarm.privateData['pin'] = 'swarm-pin-4711';
    swarm.toolify({ name: 'shared', description: 'Of all' }, () => 2);
    const events = await collect(swarm.stream('x'));
    expect(seen).toEqual(['swarm-pin-4711']);
    const states = [...setup.orchestrator.sessions.values()].map((session) => session.state);
    const sent = states.map((state) => [
      memberOf({ state } as never),
      state.tools.map(({ name }) => name),
      state.private_data_schema?.length ?? 0,
    ]);
    expect(sent).toEqual([
      [undefined, ['writer', 'member'], 1],
      ['writer', ['ask_outsider', 'shared', 'outsider'], 1],
      ['outsider', ['ask_member', 'member'], 0],
      ['member', ['sign', 'shared'], 1],
    ]);
    const swarmOf = events.map(({ payload }) => [payload['tool_name'], payload['swarm_name'] ?? null]);
    expect(swarmOf).toContainEqual(['sign', 's']);
    expect(swarmOf).toContainEqual(['ask_member', null]);
  });

  it('does not share the results of a tool that both agents have', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) return session.finish({ result: await session.callTool('charge') });
      await session.callTool('sign_in');
      session.finish({ result: await session.callTool('ask') });
    });
    const signIn = toolify(
      { name: 'sign_in', description: 'Signs in', inject: { pin: dependsOnPrivateData('pin') } },
      ({ pin }) => `signed in with ${pin}`,
    );
    const bank = setup.agent('bank', { privateData: { pin: 'pin-of-bank' }, tools: [signIn] });
    const shop = setup.agent('shop', { privateData: { pin: 'pin-of-shop' }, tools: [signIn] });
    const seen: string[] = [];
    const inject = { session: dependsOnTool(signIn) };
    bank.toolify({ name: 'charge', description: 'c', inject }, ({ session }) => void seen.push(session));
    shop.toolify({ name: 'ask', description: 'a', inject: { answer: dependsOnAgent(bank) } }, () => 1);
    await shop.invoke('x');
    expect(seen).toEqual(['signed in with pin-of-bank']);
  });
});

it('a member’s tool receives the result of the swarm’s tool that already ran', async () => {
  let calls = 0;
  await using setup = await setUp(async (session) => {
    if (memberOf(session)) return session.finish({ result: await session.callTool('charge') });
    await session.callTool('sign_in');
    session.finish({ result: await session.callTool('bank', { prompt: 'Charge' }) });
  });
  const bank = setup.agent('bank');
  const signIn = toolify({ name: 'sign_in', description: 'Signs in' }, () => (calls += 1));
  const swarm = new Swarm({ name: 's', tools: [signIn] });
  swarm.addAgent(bank, { inject: { login: dependsOnTool(signIn) } });
  const seen: number[] = [];
  const inject = { session: dependsOnTool(signIn) };
  bank.toolify({ name: 'charge', description: 'c', inject }, ({ session }) => void seen.push(session));
  await swarm.invoke('x');
  expect([calls, seen]).toEqual([1, [1]]);
});
