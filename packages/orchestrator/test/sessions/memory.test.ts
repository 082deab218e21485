import { expect, it } from 'vitest';
import { base64, caller } from '../support/memory-bench.js';
import { needs, request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench, type BenchEvent } from '../support/session-bench.js';

const withMemory = { memory_config: { level: 'clarity' } };
const skill = (sharing_scope = 'agent') => ({
  ...withMemory,
  memory_assets_config: { defined_skills: [{ name: 'Refunds', content: 'Refund a zebra', sharing_scope }] },
});
const answers = () => scriptedPlanner([finish('done')]);

async function phasesOf(bench: SessionBench, id: string): Promise<[string, BenchEvent['payload']][]> {
  const events = await bench.events(id);
  return events.flatMap(({ name, payload }) =>
    name === 'enrichment' ? [[payload.phase, payload.memory]] : [],
  );
}

it('recalls the memories of other runs before the first plan, and reports it', async () => {
  const planner = answers();
  const bench = new SessionBench({ planner });
  await bench.final(await bench.start(request('hello', [], skill())));
  const id = await bench.start(request('a zebra came back', [], withMemory));
  await bench.final(id);
  expect(planner.contexts.at(-1)?.memory).toEqual([
    {
      kind: 'skill',
      id: expect.stringMatching(/^skill_/),
      title: 'Refunds',
      text: 'Refunds\nRefund a zebra',
    },
  ]);
  const phases = await phasesOf(bench, id);
  expect(phases.map(([phase]) => phase)).toEqual([
    'evaluating',
    'memory_retrieving',
    'memory_retrieved',
    'planning',
    'synthesizing',
    'finalizing',
  ]);
  expect(phases[2]?.[1]).toMatchObject({
    mode: 'retrieve',
    status: 'found',
    hit_count: 1,
    skill_count: 1,
    memory_level: 'clarity',
  });
});

it('neither reads nor writes memory unless the request turns it on', async () => {
  const planner = answers();
  const bench = new SessionBench({ planner });
  const off = { ...skill(), memory_config: { enabled: false } };
  for (const rest of [{}, off]) {
    const id = await bench.start(request('a zebra', [], rest), { threadId: 't' });
    await bench.final(id);
    expect((await phasesOf(bench, id)).filter(([phase]) => /memory|resource/.test(phase))).toEqual([]);
  }
  await bench.final(await bench.start(request('a zebra', [], withMemory)));
  expect(planner.contexts.at(-1)?.memory).toBeUndefined();
});

it('remembers a failed tool for the next run of the agent', async () => {
  const planner = scriptedPlanner((context) =>
    context.tools.length > 0 ? [call(['t-charge']), finish('failed')] : [finish('ok')],
  );
  const bench = new SessionBench({ planner });
  const id = await bench.start(request('charge it', [toolSpec('charge')], withMemory));
  const { id: callId } = await bench.call(id, 'charge');
  await bench.postError(id, callId, { code: 'DECLINED', message: 'The card was declined.' });
  await bench.final(id);
  expect((await phasesOf(bench, id)).slice(-3).map(([phase]) => phase)).toEqual([
    'memory_insight_extracted',
    'memory_indexed',
    'finalizing',
  ]);
  await bench.final(await bench.start(request('why are cards declined?', [], withMemory)));
  expect(planner.contexts.at(-1)?.memory).toMatchObject([{ kind: 'insight', title: 'failure_pattern' }]);
});

it('learns nothing about a tool from a withheld result', async () => {
  const bench = new SessionBench({ planner: scriptedPlanner([call(['t-charge']), finish('ok')]) });
  const id = await bench.start(request('charge it', [toolSpec('charge')], withMemory));
  const { id: callId } = await bench.call(id, 'charge');
  await bench.postError(id, callId, { code: 'PRIVATE_VALUES_GONE', message: 'The result was withheld.' });
  await bench.final(id);
  expect((await phasesOf(bench, id)).slice(-2).map(([phase]) => phase)).toEqual([
    'synthesizing',
    'finalizing',
  ]);
});

it('learns nothing about a tool that was skipped because another one failed', async () => {
  const bench = new SessionBench({
    planner: scriptedPlanner([call(['t-charge'], ['t-mail']), finish('ok')]),
  });
  const mail = toolSpec('mail', { receipt: needs('charge') });
  const id = await bench.start(request('charge it', [toolSpec('charge'), mail], withMemory));
  const { id: callId } = await bench.call(id, 'charge');
  await bench.postError(id, callId, { code: 'DECLINED', message: 'The card was declined.' });
  await bench.final(id);
  const insights = (await bench.memory.open()).insights.list(caller(), { limit: 9, offset: 0 });
  expect(insights.map(({ content }) => content)).toEqual([expect.stringContaining('charge')]);
});

it('plans with the same memory after a restart', async () => {
  const planner = scriptedPlanner([call(['t-wait']), finish('done')]);
  const bench = new SessionBench({ planner, owner: 'first' });
  const seed = new SessionBench({ planner: answers(), memory: bench.memory });
  await seed.final(await seed.start(request('hello', [], skill())));
  const id = await bench.start(request('a zebra', [toolSpec('wait')], withMemory));
  const { id: callId } = await bench.call(id, 'wait');
  await bench.manager.close();
  const next = new SessionBench({
    planner,
    owner: 'second',
    store: bench.store,
    clock: bench.clock,
    memory: bench.memory,
  });
  await next.manager.open();
  await next.post(id, callId, 1);
  await next.final(id);
  const records = await bench.store.readJournal(id, { afterSeq: 0, limit: 1000 });
  expect(records.filter(({ kind }) => kind === 'memory')).toHaveLength(1);
  const [before, after] = planner.contexts.filter(({ run_id }) => run_id === id);
  expect(after?.memory).toEqual(before?.memory);
  expect(after?.memory).toHaveLength(1);
});

it('recalls summaries of turns that are no longer in the history of the thread', async () => {
  const planner = scriptedPlanner((context) => [finish(`answer to ${context.messages.at(-1)?.content}`)]);
  const bench = new SessionBench({ planner });
  const turn = async (text: string, threadId = 't') => {
    await bench.final(await bench.start(request(text, [], withMemory), { threadId }));
    return planner.contexts.at(-1)?.memory?.map((item) => item.text);
  };
  await turn('my zebra is called Ziggy');
  expect(await turn('what is my zebra called?')).toBeUndefined();
  for (const text of ['one', 'two', 'three']) await turn(text);
  const recalled = await turn('what is the name of that zebra?');
  expect(recalled?.map((text) => text.split('\n')[0]).toSorted()).toEqual([
    'Asked: my zebra is called Ziggy',
    'Asked: what is my zebra called?',
  ]);
  expect(await turn('what is the name of that zebra?', 'another')).toBeUndefined();
});

it('lets a nested session use the memory of its parent’s swarm, but only within its project', async () => {
  const planner = scriptedPlanner((context) =>
    context.tools.length > 0 ? [call(['t-wait']), finish('x')] : [finish('y')],
  );
  const bench = new SessionBench({ planner });
  const root = await bench.start(
    request('hello', [toolSpec('wait')], {
      ...skill('swarm'),
      swarm_config: { invocation_intent: true, swarm_id: 'w', swarm_name: 'W' },
    }),
  );
  await bench.call(root, 'wait');
  const nested = (parent_session_id: string) =>
    request('a zebra', [], {
      ...withMemory,
      swarm_config: {
        agent_invocation: true,
        invoked_agent_id: 'b',
        invoked_agent_name: 'B',
        parent_session_id,
      },
    });
  await bench.final(await bench.start(nested(root)));
  expect(planner.contexts.at(-1)?.memory).toMatchObject([{ kind: 'skill' }]);
  await bench.final(await bench.start(nested(root), { projectId: 'q' }));
  expect(planner.contexts.at(-1)?.memory).toBeUndefined();
  await bench.final(await bench.start(nested('no-such')));
  expect(planner.contexts.at(-1)?.memory).toBeUndefined();
});

it('reports how the resources of a request are registered', async () => {
  const bench = new SessionBench({ planner: answers() });
  const bound = (text: string) => ({
    ...withMemory,
    memory_assets_config: {
      bound_resources: [
        {
          resource_id: 'book',
          title: 'Book',
          binding_type: 'agent',
          mime_type: 'text/plain',
          content_base64: base64(text),
        },
      ],
    },
  });
  const resourcePhases = async (text: string) => {
    const id = await bench.start(request('read it', [], bound(text)));
    await bench.final(id);
    return (await phasesOf(bench, id)).filter(([phase]) => phase.startsWith('resource_'));
  };
  expect((await resourcePhases('one')).map(([phase]) => phase)).toEqual([
    'resource_registering',
    'resource_registered',
    'resource_extracted',
  ]);
  expect((await resourcePhases('one')).at(-1)).toMatchObject([
    'resource_dedup_reused',
    { dedup_reused_count: 1, registered_count: 0 },
  ]);
  const third = await resourcePhases('two');
  expect(third.map(([phase]) => phase)).toEqual([
    'resource_registering',
    'resource_registered',
    'resource_version_superseded',
    'resource_extracted',
  ]);
  expect(third[2]?.[1]).toMatchObject({
    version_superseded_count: 1,
    superseded_resource_ids: ['book'],
    source: 'bound_resources',
  });
});

it('completes without memory when memory fails', async () => {
  const bench = new SessionBench({ planner: answers() });
  await bench.memory.close();
  const id = await bench.start(request('hello', [], withMemory));
  expect(await bench.final(id)).toMatchObject({ status: 'completed', response: 'done' });
  const phases = await phasesOf(bench, id);
  expect(phases.find(([phase]) => phase === 'memory_retrieved')?.[1]).toMatchObject({ status: 'error' });
  expect(bench.errors.length).toBeGreaterThan(0);
});
