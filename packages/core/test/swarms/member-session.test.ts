import { describe, expect, it } from 'vitest';
import { dependsOnInterrupt, dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { toolify } from '../../src/decorators/toolify.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { memoryReceiptStore } from '../../src/tools/receipts/receipts.js';
import { collect } from '../agent-setup.js';
import { memberOf, setUp } from './swarm-doubles.js';

describe('a member’s session', () => {
  it('has the tools of its member and the swarm; the swarm’s tools do not see the member’s private values', async () => {
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

  it('does not reveal the API key of a member with its own client', async () => {
    await using setup = await setUp(async (session) => {
      const [name, args] = memberOf(session) ? ['environment', {}] : ['one', { prompt: 'p' }];
      session.finish({ result: await session.callTool(name, args) });
    });
    const apiKey = 'a-key-of-its-own-4711';
    const client = setup.orchestrator.client({ apiKey });
    const environment = toolify({ name: 'environment', description: 'Environment' }, () => `KEY=${apiKey}`);
    const one = setup.agent('one', { client, tools: [environment] });
    const events = await collect(new Swarm({ name: 's', client: setup.client, agents: [one] }).stream('x'));
    const bodies = setup.orchestrator.requests.map(({ body }) => body);
    expect(JSON.stringify(bodies)).toContain('KEY={_{SVC_API_KEY}_}');
    expect(JSON.stringify([bodies, events])).not.toContain(apiKey);
  });

  it('starts with the options that the planner set for the call', async () => {
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

  it.each([[''], ['  '], [null]])('uses the member’s model if the planner names none: %j', async (model) => {
    await using setup = await setUp(async (session) => {
      if (!memberOf(session)) await session.callTool('one', { prompt: 'p', model });
      session.finish();
    });
    await new Swarm({ name: 's', agents: [setup.agent('one', { model: 'max' })] }).invoke('x');
    const state = setup.orchestrator.sessions.get('session-2')?.state;
    expect(state).toMatchObject({ model: 'max' });
    expect(state).not.toHaveProperty('force_model');
  });

  it('prefers the run’s private data to the member’s', async () => {
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

  it('has the tool timeout and the parallel limit of its member', async () => {
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

  it('keeps receipts in the store of its member', async () => {
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

  it('is cancelled after the timeout of its member, and the run continues', async () => {
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

  it('that fails becomes a failed call, not an empty result', async () => {
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

  it('asks its questions in the swarm’s run and is cancelled with it', async () => {
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
