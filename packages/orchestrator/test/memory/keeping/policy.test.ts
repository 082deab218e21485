import { describe, expect, it } from 'vitest';
import { PolicyChangeSchema } from '../../../src/memory/keeping/memory-policy.js';
import { base64, caller, failed, MemoryBench } from '../../support/memory-bench.js';
import { toolSpec } from '../../support/requests.js';

const page = { limit: 50, offset: 0 };
const dayMs = 86_400_000;
const assets = {
  memory_assets_config: {
    defined_skills: [{ name: 'Zebra skill' }],
    bound_resources: [{ title: 'Zebra book', mime_type: 'text/plain', content_base64: base64('zebra text') }],
  },
};
const modes = ['persist_none', 'vector_only', 'vector_plus_graph'] as const;

/** Returns what a run stores under a persistence ceiling. */
async function kept(ceiling: (typeof modes)[number] | null, persistence_mode: (typeof modes)[number]) {
  const bench = new MemoryBench();
  const { policies, skills, resources, insights } = await bench.memory.open();
  await policies.change(caller(), { persistence_ceiling: ceiling });
  const request = { ...assets, memory_config: { persistence_mode } };
  const { items, phases } = await bench.recall('zebra', {}, request);
  const remembered = await bench.remember('x', {}, { calls: [failed('charge')], request });
  return {
    records: [
      skills.list(caller(), page),
      resources.list(caller(), page),
      insights.list(caller(), page),
    ].flat().length,
    edges: remembered.at(-1)?.memory?.['graph_edges'] ?? 0,
    mode: phases.at(-1)?.memory?.['policy_mode'],
    seen: items.length,
  };
}

describe('the persistence mode of a run', () => {
  it.each(
    modes.flatMap((asked, wanted) =>
      modes.map((ceiling, allowed) => [asked, ceiling, modes[Math.min(wanted, allowed)]] as const),
    ),
  )('that asks for %s under the ceiling %s is %s', async (asked, ceiling, mode) => {
    expect(await kept(ceiling, asked)).toEqual({
      records: mode === 'persist_none' ? 0 : 3,
      edges: mode === 'vector_plus_graph' ? 1 : 0,
      mode,
      // The run sees the assets of its request, stored or not.
      seen: 2,
    });
  });

  it('is the one it asks for without a ceiling', async () => {
    expect(await kept(null, 'vector_plus_graph')).toMatchObject({ mode: 'vector_plus_graph', edges: 1 });
  });
});

it('reports a resource that is not stored as available inline', async () => {
  const bench = new MemoryBench();
  const { phases } = await bench.recall(
    'zebra',
    {},
    { ...assets, memory_config: { persistence_mode: 'persist_none' } },
  );
  expect(phases[0]).toMatchObject({ phase: 'resource_registered' });
  expect(phases[0]?.memory).toEqual({
    mode: 'resource_registration',
    source: 'bound_resources',
    status: 'inline_available',
    registered_count: 0,
    resource_count: 1,
  });
  expect((await bench.recall('zebra')).items).toEqual([]);
});

it('reports assets that are not stored among what the run found', async () => {
  const request = { ...assets, memory_config: { persistence_mode: 'persist_none' } } as const;
  const { phases } = await new MemoryBench().recall('zebra', {}, request);
  const found = { status: 'found', hit_count: 2, skill_count: 1, resource_count: 1, insight_count: 0 };
  expect(phases.at(-1)).toMatchObject({ message: 'Found 2 memories', memory: found });
});

it.each([
  ['by id', { skill_id: 's-1' }, { resource_id: 'r-1' }, ['s-1', 'r-1']],
  ['by name', {}, {}, ['Zebra', 'Zebra book']],
])('identifies assets that are not stored %s', async (_, skill, resource, ids) => {
  const { items } = await new MemoryBench().recall(
    'x',
    {},
    {
      memory_assets_config: {
        defined_skills: [{ name: 'Zebra', ...skill }],
        bound_resources: [{ title: 'Zebra book', text_content: 'zebra text', ...resource }],
      },
      memory_config: { persistence_mode: 'persist_none' },
    },
  );
  expect(items.map(({ id }) => id)).toEqual(ids);
  expect(items).toMatchObject([
    { kind: 'skill', title: 'Zebra', text: 'Zebra' },
    { kind: 'resource', title: 'Zebra book', text: 'zebra text' },
  ]);
});

describe('recall for a run with a resource that is not stored', () => {
  const run = { project: 'p' };
  const withResource = (text: string, retrieval = {}) => ({
    memory_assets_config: {
      bound_resources: [{ title: 'Zebra book', mime_type: 'text/plain', content_base64: base64(text) }],
    },
    memory_config: { persistence_mode: 'persist_none', level: 'glimpse', retrieval } as const,
  });

  it('leaves out a record instead of truncating it to a fragment that still fits', async () => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    await insights.create(caller(), { content: `zebra ${'long '.repeat(40)}` });
    await insights.create(caller(), { content: 'zebra short' });
    const { texts } = await bench.recall('zebra', run, withResource('a'.repeat(1985)));
    expect(texts.slice(1)).toEqual(['zebra short']);
  });

  it('does not count a resource as used when the run has no room for it', async () => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    const content_base64 = base64('zebra text');
    const { id } = await resources.create(caller(), {
      name: 'kept',
      mime_type: 'text/plain',
      content_base64,
    });
    await bench.recall('zebra', run, withResource('brought', { top_k: 1 }));
    expect(resources.get(caller(), id)).toMatchObject({ query_count: 0 });
    await bench.recall('zebra', run, withResource('brought', { top_k: 2 }));
    expect(resources.get(caller(), id)).toMatchObject({ query_count: 1 });
  });
});

it('stops reading and writing in one organization when its policy is off', async () => {
  const bench = new MemoryBench();
  const { policies, insights } = await bench.memory.open();
  const [mine, theirs] = [caller('p', 'o'), caller('p2', 'o2')];
  await insights.create(mine, { content: 'zebra' });
  await insights.create(theirs, { content: 'zebra' });
  await policies.change(mine, { enabled: false });
  expect(await bench.recall('zebra', { organization: 'o' }, assets)).toMatchObject({
    items: [],
    phases: [],
  });
  expect(await bench.remember('x', { organization: 'o' }, { calls: [failed('charge')] })).toEqual([]);
  await expect(insights.create(mine, { content: 'x' })).rejects.toMatchObject({ code: 'MEMORY_DISABLED' });
  expect((await bench.recall('zebra', { project: 'p2', organization: 'o2' })).items).toHaveLength(1);
  await policies.change(mine, { enabled: true });
  expect((await bench.recall('zebra', { organization: 'o' })).items).toHaveLength(1);
});

describe('retention', () => {
  it('hides and removes what runs remembered, but not what users created', async () => {
    const bench = new MemoryBench();
    const { policies, insights, database } = await bench.memory.open();
    await insights.create(caller(), { content: 'a zebra by hand' });
    await bench.remember('x', { thread: 't' }, { answer: 'a zebra', calls: [failed('zebra')] });
    const seen = async () =>
      (await bench.recall('zebra', { thread: 't' })).items.map(({ kind }) => kind).toSorted();
    await policies.change(caller(), { vector_retention_days: 10 });
    expect(await seen()).toEqual(['insight', 'insight', 'summary']);
    bench.clock.advance(10 * dayMs);
    expect(await seen()).toEqual(['insight']);
    expect(database.assets.usage('p').records).toBe(3);
    await policies.sweep();
    expect(database.assets.usage('p').records).toBe(1);
  });

  it('also applies to an attachment whose bytes were replaced', async () => {
    const bench = new MemoryBench();
    const { policies, resources } = await bench.memory.open();
    const attachments = [{ name: 'Book', mime_type: 'text/plain', content_base64: base64('zebra') }];
    const messages = [{ type: 'human' as const, content: 'x', additional_kwargs: { attachments } }];
    await bench.recall('x', {}, { messages });
    const [book] = resources.list(caller(), page);
    await resources.replace(caller(), String(book?.['id']), { text_content: 'two' });
    bench.clock.advance(dayMs);
    await policies.change(caller(), { vector_retention_days: 1 });
    expect(resources.list(caller(), page)).toEqual([]);
  });

  it('takes effect at once when it is changed', async () => {
    const bench = new MemoryBench();
    const { policies, insights } = await bench.memory.open();
    await bench.remember('x', {}, { calls: [failed('zebra')] });
    bench.clock.advance(5 * dayMs);
    await policies.change(caller(), { vector_retention_days: 6 });
    expect(insights.list(caller(), page)).toHaveLength(1);
    await policies.change(caller(), { vector_retention_days: 5 });
    expect(insights.list(caller(), page)).toEqual([]);
  });

  it('of the graph removes the links of records, but not the records', async () => {
    const bench = new MemoryBench();
    const { policies, insights, database } = await bench.memory.open();
    const memory_config = { persistence_mode: 'vector_plus_graph' as const };
    await bench.remember('x', {}, { calls: [failed('charge')], request: { memory_config } });
    const [left] = database.runs.read('s1') ?? [];
    const tools = [{ ...toolSpec('charge'), tool_type: 'func' as const }];
    const related = async () => (await bench.recall('hello', {}, { memory_config, tools })).items.length;
    await policies.change(caller(), { graph_retention_days: 2 });
    expect(await related()).toBe(1);
    bench.clock.advance(2 * dayMs);
    expect(await related()).toBe(0);
    expect(database.edges.of(left ?? 0)).toHaveLength(1);
    await policies.sweep();
    expect(database.edges.of(left ?? 0)).toEqual([]);
    expect(insights.list(caller(), page)).toHaveLength(1);
  });
});

describe('a purge', () => {
  it('removes the memory of one project and keeps that of others', async () => {
    const bench = new MemoryBench();
    const { policies, database } = await bench.memory.open();
    for (const project of ['p', 'q']) await bench.recall('x', { project }, assets);
    await policies.purge(caller('p'), { confirmToken: 'PURGE_MEMORY' });
    expect(database.assets.usage('p')).toEqual({ records: 0, bytes: 0 });
    expect(database.assets.usage('q')).toEqual({ records: 2, bytes: 10 });
    expect((await bench.recall('zebra', { project: 'p' })).items).toEqual([]);
    expect((await bench.recall('zebra', { project: 'q' })).items).toHaveLength(2);
  });

  it('of one run removes the bytes that only this run stored', async () => {
    const bench = new MemoryBench();
    const { policies, database } = await bench.memory.open();
    await bench.recall('x', { session: 's1', agent: 'a' }, assets);
    await bench.recall('x', { session: 's2', agent: 'b' }, assets);
    await policies.purge(caller(), { confirmToken: 'PURGE_MEMORY', sessionId: 's1' });
    expect(database.assets.usage('p')).toEqual({ records: 2, bytes: 10 });
    await policies.purge(caller(), { confirmToken: 'PURGE_MEMORY', sessionId: 's2' });
    expect(database.assets.usage('p')).toEqual({ records: 0, bytes: 0 });
  });

  it('of one run removes what that run stored, only in its own project', async () => {
    const bench = new MemoryBench();
    const { policies } = await bench.memory.open();
    await bench.remember('zebra one', { thread: 't', session: 's1' }, { answer: 'x' });
    await bench.remember('zebra two', { thread: 't', session: 's2' }, { answer: 'x' });
    await policies.purge(caller('q'), { confirmToken: 'PURGE_MEMORY', sessionId: 's2' });
    expect(await policies.purge(caller(), { confirmToken: 'PURGE_MEMORY', sessionId: 's1' })).toMatchObject({
      success: true,
      project_ids: ['p'],
      session_id: 's1',
    });
    expect((await bench.recall('zebra', { thread: 't' })).texts).toEqual(['Asked: zebra two\nAnswered: x']);
  });
});

it('removes limits that a change sets to null, but leaves `enabled` unchanged', async () => {
  const { policies } = await new MemoryBench().memory.open();
  const limits = { persistence_ceiling: 'vector_only', vector_retention_days: 9 } as const;
  await policies.change(caller(), { enabled: false, ...limits });
  const nulls = { enabled: null, persistence_ceiling: null, vector_retention_days: null };
  expect(await policies.change(caller(), PolicyChangeSchema.parse(nulls))).toMatchObject({
    ...nulls,
    enabled: false,
  });
});
