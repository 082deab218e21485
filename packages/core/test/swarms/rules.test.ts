import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../src/decorators/depends-on.js';
import { toolify } from '../../src/decorators/toolify.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { memoryReceiptStore } from '../../src/tools/receipts.js';
import { startScriptedOrchestrator, type Script } from '../../src/testing/scripted-orchestrator.js';
import { collect } from '../agent-setup.js';

async function setUp(script: Script) {
  const orchestrator = await startScriptedOrchestrator(script);
  const client = orchestrator.client();
  const agent = (name: string, options: object = {}) => new Agent({ name, client, ...options });
  return { orchestrator, client, agent, [Symbol.asyncDispose]: async () => orchestrator.close() };
}

const memberOf = (session: Parameters<Script>[0]): string | undefined =>
  session.state.swarm_config?.invoked_agent_name ?? undefined;

const final = () => toolify({ name: 'answer', description: 'a', finalTool: true }, () => 42);

describe('who gives the final output', () => {
  it.each<[string, (agent: (name: string, options?: object) => Agent) => object, string]>([
    [
      'two members cannot',
      (agent) => ({
        agents: [agent('a', { useAsFinalOutput: true }), agent('b', { useAsFinalOutput: true })],
      }),
      'SWARM_MEMBER',
    ],
    [
      'a final tool of the swarm and a member cannot both',
      (agent) => ({ agents: [agent('a', { useAsFinalOutput: true })], tools: [final()] }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'a forced final tool must be somewhere',
      (agent) => ({ agents: [agent('a')], forceFinalTool: true }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'of several members with final tools one must be named',
      (agent) => ({
        agents: [agent('a', { tools: [final()] }), agent('b', { tools: [final()] })],
        forceFinalTool: true,
      }),
      'SWARM_FINAL_OUTPUT',
    ],
    [
      'of several members with final tools one must be named, and no other',
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
  ])('%s', async (_name, options, code) => {
    await using setup = await setUp(() => {});
    const make = async () => new Swarm({ name: 's', ...options(setup.agent) }).invoke('x');
    await expect(make()).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('is forced at the root when a named member has it', async () => {
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

describe('members', () => {
  it.each<[string, (swarm: Swarm, agent: Agent) => unknown, string]>([
    ['have names of their own', (swarm, agent) => swarm.addAgent(agent).addAgent(agent), 'SWARM_MEMBER'],
    [
      'do not depend on themselves',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: dependsOnAgent(agent) } }),
      'SWARM_INVALID_DEPENDENCY',
    ],
    [
      'are not told secrets',
      (swarm, agent) => swarm.addAgent(agent, { inject: { x: dependsOnPrivateData('k') } }),
      'SWARM_INVALID_DEPENDENCY',
    ],
    [
      'keep the arguments of their own call',
      (swarm, agent) => swarm.addAgent(agent, { inject: { prompt: dependsOnTool('t') } }),
      'SWARM_RESERVED_ARGUMENT',
    ],
  ])('%s', async (_name, add, code) => {
    await using setup = await setUp(() => {});
    expect(() => add(new Swarm({ name: 's' }), setup.agent('a'))).toThrow(expect.objectContaining({ code }));
  });

  it('cannot be named like a tool of the same session', async () => {
    await using setup = await setUp(() => {});
    const swarm = new Swarm({ name: 's', agents: [setup.agent('answer')], tools: [final()] });
    await expect(swarm.invoke('x')).rejects.toMatchObject({ code: 'TOOL_DUPLICATE_NAME' });
  });

  it('are found and listed', async () => {
    await using setup = await setUp(() => {});
    const agent = setup.agent('a');
    const swarm = new Swarm({ name: 's', agents: [agent] });
    expect(swarm.getAgent('a')).toBe(agent);
    expect(swarm.getAgent('b')).toBeUndefined();
    expect(swarm.listAgents()).toEqual([agent]);
  });
});

describe('a member’s session', () => {
  it('has the member’s tools and the swarm’s, and each sees its own private values and the swarm’s', async () => {
    await using setup = await setUp(async (session) => {
      if (!memberOf(session)) {
        await session.callTool('one', { prompt: 'p' });
        return session.finish();
      }
      const own = await session.callTool('own');
      const shared = await session.callTool('shared');
      session.finish({ result: [own, shared] });
    });
    const seen: unknown[] = [];
    const reading = (name: string, ...keys: string[]) =>
      toolify(
        {
          name,
          description: name,
          inject: Object.fromEntries(keys.map((key) => [key, dependsOnPrivateData(key)])),
        },
        (args) => void seen.push({ ...args }),
      );
    const one = setup.agent('one', {
      privateData: { a: 'own-a', b: 'own-b' },
      tools: [reading('own', 'a', 'b', 'c')],
    });
    const two = setup.agent('two', { privateData: { secret: 'of-two' } });
    const swarm = new Swarm({
      name: 's',
      agents: [one, two],
      privateData: { a: 'swarm-a', c: 'swarm-c' },
      tools: [reading('shared', 'a', 'c')],
    });
    await swarm.invoke('x');
    expect(seen).toEqual([
      { a: 'own-a', b: 'own-b', c: 'swarm-c' },
      { a: 'swarm-a', c: 'swarm-c' },
    ]);
    const [root, member] = [...setup.orchestrator.sessions.values()].map(({ state }) => state);
    expect(root?.tools.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(member?.tools.map(({ name }) => name)).toEqual(['own', 'shared']);
    expect(JSON.stringify(member?.private_data_schema)).not.toContain('secret');
  });

  it('passes on what the planner said of the call', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) return session.finish();
      await session.callTool('one', {
        prompt: 'p',
        model: 'fast',
        use_as_final_output: true,
        included_nested_synthesis: false,
        memory_recall_turn_active: true,
      });
      session.finish();
    });
    const swarm = new Swarm({
      name: 's',
      agents: [setup.agent('one', { systemPrompt: 'Be one.', model: 'max' })],
    });
    await collect(swarm.stream('x'));
    expect(setup.orchestrator.sessions.get('session-2')?.state).toMatchObject({
      model: 'fast',
      messages: [
        { type: 'system', content: 'Be one.' },
        { type: 'human', content: 'p' },
      ],
      memory_assets_config: { recall_turn_active: true },
      swarm_config: {
        agent_invocation: true,
        use_as_final_output: true,
        included_nested_synthesis: false,
        sdk_delivery_mode: 'stream',
        parent_session_id: 'session-1',
      },
    });
  });

  it('is for values that came with the call too', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) return session.finish({ result: await session.callTool('t') });
      session.finish({ result: await session.callTool('one', { prompt: 'p' }) });
    });
    const one = setup.agent('one', { privateData: { key: 'own' } });
    const seen: string[] = [];
    one.toolify(
      { name: 't', description: 't', inject: { key: dependsOnPrivateData('key') } },
      ({ key }) => void seen.push(key),
    );
    await new Swarm({ name: 's', agents: [one] }).invoke('x', { privateData: { key: 'from-call' } });
    expect(seen).toEqual(['from-call']);
  });

  it('has the limits of its member, inside those of the swarm', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session))
        return session.finish({
          result: await session.callTools([{ name: 't' }, { name: 't' }, { name: 'slow' }]),
        });
      session.finish({ result: await session.callTool('one', { prompt: 'p' }) });
    });
    const one = setup.agent('one', { maxParallelTools: 1, toolTimeoutMs: 20 });
    let running = 0;
    let most = 0;
    one.toolify({ name: 't', description: 't' }, async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
    });
    one.toolify({ name: 'slow', description: 's' }, async () => new Promise(() => {}));
    const { result } = await new Swarm({ name: 's', agents: [one], maxParallelTools: 4 }).invoke('x');
    expect(most).toBe(1);
    expect(JSON.stringify(result)).toContain('TOOL_TIMEOUT');
  });

  it('has the receipts of its member', async () => {
    await using setup = await setUp(async (session) => {
      const name = memberOf(session) ? 'charge' : 'one';
      session.finish({
        result: await session.callTool(name, memberOf(session) ? {} : { prompt: 'p' }, 'ev-1'),
      });
    });
    const receipts = memoryReceiptStore();
    const one = setup.agent('one', { receipts });
    one.toolify({ name: 'charge', description: 'c', permissions: ['write'] }, () => 'charged');
    await new Swarm({ name: 's', agents: [one] }).invoke('x');
    expect(await receipts.find('session-2:ev-1')).toMatchObject({
      state: 'settled',
      outcome: { json: 'charged' },
    });
  });

  it('that takes longer than its member may is ended, and the run goes on', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) return;
      session.finish({ result: await session.callTool('one', { prompt: 'p' }) });
    });
    const swarm = new Swarm({ name: 's', agents: [setup.agent('one', { timeoutMs: 20 })] });
    expect((await swarm.invoke('x')).result).toMatchObject({
      status: 'error',
      error: { code: 'RUN_TIMEOUT' },
    });
    await swarm.close();
    const deleted = setup.orchestrator.requests
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => path);
    expect(deleted).toEqual(['/sessions/session-2']);
  });

  it('that fails is a failed call, not an empty result', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) return session.fail('member broke');
      session.finish({ result: await session.callTool('one', { prompt: 'p' }) });
    });
    const swarm = new Swarm({ name: 's', agents: [setup.agent('one')] });
    expect((await swarm.invoke('x')).result).toMatchObject({
      status: 'error',
      error: { code: 'RUN_FAILED', message: expect.stringContaining('member broke') },
    });
  });

  it('ends with the run, and its questions are answered at the swarm’s run', async () => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session)) {
        const answer = await session.callTool('t');
        return session.finish({ result: answer });
      }
      session.finish({ result: await session.callTool('one', { prompt: 'p' }) });
    });
    const one = setup.agent('one');
    one.toolify(
      { name: 't', description: 't', inject: { ok: dependsOnInterrupt({ prompt: '?' }) } },
      ({ ok }) => ok,
    );
    const swarm = new Swarm({ name: 's', agents: [one] });
    const run = swarm.stream('x');
    for await (const { name, payload } of run) {
      if (name === 'interrupt_required')
        await swarm.runs.get(run.id)?.answer(String(payload['interrupt_id']), 'fine');
    }
    expect((await run.response).result).toMatchObject({ result: { result: { result: 'fine' } } });

    const cancelled = swarm.stream('x');
    for await (const { name } of cancelled) if (name === 'interrupt_required') void cancelled.cancel();
    const deleted = setup.orchestrator.requests
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => path);
    expect(deleted.toSorted()).toEqual(['/sessions/session-3', '/sessions/session-4']);
  });
});

describe('a tool that depends on an agent', () => {
  const Topic = z.object({ topic: z.string() });

  it('gets the answer that the planner asked for', async () => {
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
    ['its own question', (args: object) => `about ${JSON.stringify(args)}`, 'on about {"topic":"x"}'],
    ['what the run was asked', undefined, 'on Write about tea'],
  ])('asks it itself with %s when the planner did not', async (_name, prompt, expected) => {
    await using setup = await setUp(async (session) => {
      if (memberOf(session))
        return session.finish({ responses: [`on ${String(session.state.messages[0]?.content)}`] });
      session.finish({ result: await session.callTool('write', { topic: 'x' }, 'ev-1') });
    });
    const writer = setup.agent('writer');
    const inject = { facts: dependsOnAgent(setup.agent('researcher'), prompt ? { prompt } : {}) };
    writer.toolify({ name: 'write', description: 'w', input: Topic, inject }, ({ facts }) => facts.response);
    const run = writer.stream('Write about tea');
    const ids = (await collect(run)).map(({ payload }) => payload['tool_id']);
    expect(ids).toContain('ev-1/researcher');
    expect((await run.response).result).toMatchObject({ result: expected });
  });

  it('by a name alone needs a swarm', async () => {
    await using setup = await setUp(() => {});
    const writer = setup.agent('writer');
    writer.toolify(
      { name: 'write', description: 'w', inject: { facts: dependsOnAgent('researcher') } },
      () => 1,
    );
    await expect(writer.invoke('x')).rejects.toMatchObject({ code: 'DEPENDENCY_UNKNOWN' });
    const swarm = new Swarm({ name: 's', agents: [writer, setup.agent('researcher')] });
    void swarm.invoke('x').catch(() => undefined);
    await expect.poll(() => setup.orchestrator.sessions.size).toBe(1);
    const roster = setup.orchestrator.sessions.get('session-1')?.state.swarm_config?.agent_roster;
    expect(roster?.[0]).toMatchObject({
      name: 'writer',
      invokes_via_dependency: [swarm.getAgent('researcher')?.id],
    });
    await swarm.close();
  });
});
