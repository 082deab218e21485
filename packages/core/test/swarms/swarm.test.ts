import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnAgent, dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';

describe('a swarm', () => {
  it('lists the private values of its members after its own', () => {
    const apiKey = 'key';
    const member = new Agent({ name: 'member', apiKey, privateData: { pin: '4711' } });
    const swarm = new Swarm({ name: 'desk', apiKey, agents: [member], privateData: { token: 'tok_9f31' } });
    member.privateData['code'] = '8842';
    expect(swarm.privateValues()).toEqual([
      { name: 'token', value: 'tok_9f31' },
      { name: 'pin', value: '4711' },
      { name: 'code', value: '8842' },
    ]);
  });

  it('lists the tool sources of all members concurrently', async () => {
    await using orchestrator = await startScriptedOrchestrator((session) => session.finish());
    const client = orchestrator.client();
    const everybody = Promise.withResolvers<void>();
    let asked = 0;
    const agents = ['a', 'b'].map((name) => {
      const listTools = async () => {
        asked += 1;
        if (asked === 2) everybody.resolve();
        await everybody.promise;
        return [];
      };
      return new Agent({ name, client, tools: [{ name, listTools, close: async () => {} }] });
    });
    const swarm = new Swarm({ name: 'desk', agents });
    expect(await swarm.invoke('x', { timeoutMs: 10_000 })).toMatchObject({ status: 'completed' });
  }, 20_000);

  it('runs members in their own sessions and emits their events in its stream', async () => {
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      const member = session.state.swarm_config?.invoked_agent_name;
      if (member === 'researcher') {
        const facts = await session.callTool('lookup', { topic: 'tea' }, 'n-1');
        session.say('Tea is a plant.');
        return session.finish({ responses: ['Tea is a plant.'], result: facts });
      }
      if (member === 'writer') return session.finish({ responses: ['Two lines.'] });
      await session.callTool('researcher', { prompt: 'Collect facts' }, 'ev-1');
      const written = await session.callTool('writer', { prompt: 'Write' }, 'ev-2');
      session.finish({ responses: ['Two lines.'], result: written });
    });
    const client = orchestrator.client();
    const researcher = new Agent({
      name: 'researcher',
      description: 'Finds facts',
      client,
      privateData: { source_key: 'src-secret-key' },
    });
    let key = '';
    researcher.toolify(
      {
        name: 'lookup',
        description: 'Look up',
        input: z.object({ topic: z.string() }),
        inject: { source: dependsOnPrivateData('source_key') },
      },
      ({ topic, source }) => {
        key = source;
        return { facts: [`${topic} is a plant`], from: source };
      },
    );
    const writer = new Agent({ name: 'writer', description: 'Writes', client, useAsFinalOutput: true });
    const swarm = new Swarm({ name: 'desk' });
    swarm.addAgent(researcher).addAgent(writer, { inject: { notes: dependsOnAgent(researcher) } });

    const run = swarm.stream('Two lines about tea');
    const shown: unknown[] = [];
    for await (const { name, payload } of run) {
      shown.push([
        name,
        payload['tool_id'] ?? payload['assistant_id'],
        payload['status'],
        payload['agent_name'],
      ]);
    }
    expect(key).toBe('src-secret-key');
    expect(shown).toEqual([
      ['tool_event', 'ev-1', 'executing', 'researcher'],
      ['tool_event', 'n-1', 'executing', 'researcher'],
      ['tool_event', 'n-1', 'completed', 'researcher'],
      ['update', 'ev-1', undefined, 'researcher'],
      ['tool_event', 'ev-1', 'completed', 'researcher'],
      ['tool_event', 'ev-2', 'executing', 'writer'],
      ['tool_event', 'ev-2', 'completed', 'writer'],
      ['final', undefined, 'completed', undefined],
    ]);
    expect((await run.response).response).toBe('Two lines.');
    const [root, first, second] = [...orchestrator.sessions.values()].map(({ state }) => state);
    expect(root?.swarm_config).toMatchObject({
      swarm_name: 'desk',
      invocation_intent: true,
      agent_roster: [{ name: 'researcher' }, { name: 'writer', use_as_final_output: true }],
    });
    expect(first?.swarm_config).toMatchObject({ agent_invocation: true, parent_tool_event_id: 'ev-1' });
    expect(second?.messages[0]?.content).toContain('Dependency context:\n{\n  "notes"');
    expect(JSON.stringify(orchestrator.requests.map(({ body }) => body))).not.toContain('src-secret-key');
    await swarm.close();
  });

  it('reports its own token usage, and that of each member with the member’s result', async () => {
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      if (session.state.swarm_config?.invoked_agent_name)
        return session.finish({ token_usage: { total_tokens: 5 } });
      await session.callTool('writer', { prompt: 'Write' });
      session.finish({ token_usage: { total_tokens: 12 } });
    });
    const client = orchestrator.client();
    const swarm = new Swarm({ name: 'desk' });
    swarm.addAgent(new Agent({ name: 'writer', description: 'Writes', client }));
    const run = swarm.stream('Write');
    const ofMembers: unknown[] = [];
    for await (const { name, payload } of run)
      if (name === 'tool_event' && payload['status'] === 'completed')
        ofMembers.push(Object(payload['result']).token_usage?.total_tokens);
    expect((await run.response).tokenUsage?.total_tokens).toBe(12);
    expect(ofMembers).toEqual([5]);
  });
});
