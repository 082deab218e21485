import type { SessionRequestInput } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { base64, caller, failed, MemoryBench } from '../../support/memory-bench.js';
import { toolSpec } from '../../support/requests.js';

type Config = NonNullable<SessionRequestInput['memory_config']>;

/** Five of each kind, all about zebras. */
async function zebras(): Promise<MemoryBench> {
  const bench = new MemoryBench();
  const { skills, insights, resources } = await bench.memory.open();
  for (const number of [1, 2, 3, 4, 5]) {
    await skills.create(caller(), { name: `Zebra skill ${number}` });
    await insights.create(caller(), { content: `Zebra insight ${number}`, relevance_score: number / 5 });
    await resources.create(caller(), { name: `Zebra book ${number}`, text_content: `zebra text ${number}` });
  }
  return bench;
}

async function counts(bench: MemoryBench, memory_config: Config): Promise<Record<string, number>> {
  const { items } = await bench.recall('zebra', {}, { memory_config });
  const of = (kind: string) => items.filter((item) => item.kind === kind).length;
  return { all: items.length, skill: of('skill'), insight: of('insight'), resource: of('resource') };
}

describe('the retrieval settings of a request', () => {
  it.each<[string, Config, object]>([
    ['the defaults', {}, { all: 8 }],
    ['top_k', { retrieval: { top_k: 3 } }, { all: 3 }],
    ['a larger top_k', { retrieval: { top_k: 15 } }, { all: 15, skill: 5, insight: 5, resource: 5 }],
    ['no skills', { retrieval: { top_k: 15, skills_enabled: false } }, { all: 10, skill: 0 }],
    ['no insights', { retrieval: { top_k: 15, insights_enabled: false } }, { all: 10, insight: 0 }],
    ['no resources', { retrieval: { top_k: 15, resources_enabled: false } }, { all: 10, resource: 0 }],
    ['a limit on skills', { retrieval: { top_k: 15, skill_injection_max_count: 2 } }, { all: 12, skill: 2 }],
    [
      'a limit on insights',
      { retrieval: { top_k: 15, insight_injection_max_count: 1 } },
      { all: 11, insight: 1 },
    ],
    [
      'a limit on resources',
      { retrieval: { top_k: 15, resource_injection_max_count: 1 } },
      { all: 11, resource: 1 },
    ],
    [
      'a relevance floor',
      { retrieval: { top_k: 15, insight_relevance_floor: 0.6 } },
      { all: 13, insight: 3 },
    ],
    ['a limit on candidates', { retrieval: { top_k: 2, candidate_limit: 2 } }, { all: 2 }],
  ])('decide what is recalled: %s', async (_, config, wanted) => {
    expect(await counts(await zebras(), config)).toMatchObject(wanted);
  });

  it('limit the records that are considered with candidate_limit', async () => {
    const bench = await zebras();
    const hits = async (candidate_limit: number) => {
      const { phases } = await bench.recall(
        'zebra',
        {},
        { memory_config: { retrieval: { top_k: 1, candidate_limit } } },
      );
      return phases.at(-1)?.memory?.['keyword_hits'];
    };
    expect([await hits(4), await hits(500)]).toEqual([4, 15]);
  });
});

describe('the memory level', () => {
  it.each([
    ['none', 0],
    ['glimpse', 2_000],
    ['focus', 6_000],
    ['clarity', 12_000],
  ] as const)('%s recalls at most %i characters', async (level, most) => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    for (const number of [1, 2, 3, 4, 5]) {
      await insights.create(caller(), { content: `zebra ${number} ${'x'.repeat(4_000)}` });
    }
    const { texts, phases } = await bench.recall('zebra', {}, { memory_config: { level } });
    // The reported count is that of what was recalled.
    const retrieved = phases.flatMap(({ phase, memory }) => (phase === 'memory_retrieved' ? [memory] : []));
    expect(retrieved).toMatchObject(level === 'none' ? [] : [{ insight_count: texts.length }]);
    const length = texts.join('').length;
    expect(length).toBeLessThanOrEqual(most);
    expect(length).toBeGreaterThan(most * 0.95 - 1);
  });

  it('none reports no retrieval, but still stores the assets of the request', async () => {
    const bench = new MemoryBench();
    const assets = { memory_assets_config: { defined_skills: [{ name: 'Zebra' }] } };
    const { phases } = await bench.recall('x', {}, { memory_config: { level: 'none' }, ...assets });
    expect(phases).toEqual([]);
    expect((await bench.recall('zebra')).items).toHaveLength(1);
  });
});

it('recall_turn_active: false leaves memory out of this turn', async () => {
  const bench = await zebras();
  const quiet = await bench.recall('zebra', {}, { memory_assets_config: { recall_turn_active: false } });
  expect(quiet).toMatchObject({ items: [], phases: [] });
  const recalled = await bench.recall('zebra', {}, { memory_assets_config: { recall_turn_active: true } });
  expect(recalled.items).toHaveLength(8);
});

describe('an insight', () => {
  const dayMs = 86_400_000;

  it.each([
    ['none', 10, 365, true],
    ['exponential', 10, 9, true],
    ['exponential', 10, 11, false],
    ['linear', 10, 9, true],
    ['linear', 10, 11, false],
  ] as const)(
    'with decay %s and a half-life of %i days is recalled after %i days: %s',
    async (decay_model, half_life_days, age, isFound) => {
      const bench = new MemoryBench();
      const { insights } = await bench.memory.open();
      await insights.create(caller(), { content: 'zebra', decay_model, half_life_days });
      bench.clock.advance(age * dayMs);
      const memory_config = { retrieval: { insight_relevance_floor: 0.5 } };
      expect((await bench.recall('zebra', {}, { memory_config })).items.length === 1).toBe(isFound);
    },
  );

  it('is gone from recall and lists after its ttl_days, and from the file after a sweep', async () => {
    const bench = new MemoryBench();
    const { insights, policies, database } = await bench.memory.open();
    const { id } = await insights.create(caller(), { content: 'zebra', ttl_days: 2 });
    bench.clock.advance(2 * dayMs - 1);
    expect((await bench.recall('zebra')).items).toHaveLength(1);
    bench.clock.advance(1);
    expect((await bench.recall('zebra')).items).toEqual([]);
    expect(insights.list(caller(), { limit: 10, offset: 0 })).toEqual([]);
    expect(database.assets.has('p', 'insight', id)).toBe(true);
    await policies.sweep();
    expect(database.assets.has('p', 'insight', id)).toBe(false);
  });
});

describe('recall', () => {
  it.each(['deprecated', 'quarantined'] as const)('leaves out a skill that is %s', async (status) => {
    const bench = new MemoryBench();
    const { skills } = await bench.memory.open();
    const { id } = await skills.create(caller(), { name: 'Zebra' });
    await skills.update(caller(), id, { status });
    expect((await bench.recall('zebra')).items).toEqual([]);
    await skills.update(caller(), id, { status: 'active' });
    expect((await bench.recall('zebra')).items).toHaveLength(1);
  });

  it('leaves out superseded versions and deleted resources', async () => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    const { id } = await resources.create(caller(), { name: 'Book', text_content: 'zebra one' });
    const next = await resources.replace(caller(), id, { text_content: 'zebra two' });
    expect((await bench.recall('zebra')).texts).toEqual(['zebra two']);
    await resources.delete(caller(), next.id);
    expect((await bench.recall('zebra')).items).toEqual([]);
  });
});

it('counts how often a resource was recalled', async () => {
  const bench = new MemoryBench();
  const { resources } = await bench.memory.open();
  const { id } = await resources.create(caller(), { name: 'Book', text_content: 'zebra' });
  await bench.recall('zebra');
  await bench.recall('lion');
  await bench.recall('zebra');
  const { query_count, last_queried_at } = resources.get(caller(), id);
  expect({ query_count, last_queried_at }).toEqual({
    query_count: 2,
    last_queried_at: new Date(bench.clock.nowMs()).toISOString(),
  });
});

it('recalls the matching passage of a long text, not all of it', async () => {
  const bench = new MemoryBench();
  const { resources } = await bench.memory.open();
  const paragraph = (word: string) => `${word} `.repeat(100).trim();
  const text_content = ['lion', 'tiger', 'zebra', 'horse', 'mule'].map(paragraph).join('\n\n');
  await resources.create(caller(), { name: 'Animals', text_content });
  const { texts } = await bench.recall('zebra');
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('zebra');
  expect(texts[0]).not.toContain('lion');
});

it('ranks insights by their relevance and skills by their confidence', async () => {
  const bench = new MemoryBench();
  const { insights, skills } = await bench.memory.open();
  for (const relevance_score of [0.9, 0.2, 0.6]) {
    await insights.create(caller(), { content: `zebra ${relevance_score}`, relevance_score });
  }
  await skills.create(caller(), { name: 'zebra 0.4', confidence: 0.4 });
  expect((await bench.recall('zebra')).texts).toEqual(['zebra 0.9', 'zebra 0.6', 'zebra 0.4', 'zebra 0.2']);
});

it('ranks resources of the request before stored records', async () => {
  const bench = await zebras();
  const memory_assets_config = {
    bound_resources: [
      { title: 'Mine', mime_type: 'text/plain', content_base64: base64('nothing in common') },
    ],
  };
  const { items } = await bench.recall(
    'zebra',
    {},
    { memory_assets_config, memory_config: { retrieval: { top_k: 2 } } },
  );
  expect(items.map(({ title }) => title)[0]).toBe('Mine');
});

it.each([
  '"zebra" OR 1=1; DROP TABLE memory_assets --',
  'text : zebra',
  'NEAR(zebra stripes, 5)',
  'zebra*',
  '^zebra AND (',
  '{tenant text} : zebra',
  "zebra' UNION SELECT",
  'zebra\u0000',
])('treats the question %j as words, not as a query', async (question) => {
  const bench = new MemoryBench();
  const { insights } = await bench.memory.open();
  await insights.create(caller(), { content: 'About the zebra' });
  await insights.create(caller('q'), { content: 'Another zebra' });
  expect((await bench.recall(question)).texts).toEqual(['About the zebra']);
});

it('finds nothing for a question without words, and does not fail', async () => {
  const bench = await zebras();
  for (const question of ['', '???', 'the of and', '🦓'.repeat(5000)]) {
    expect((await bench.recall(question)).items).toEqual([]);
  }
});

it('finds a record by the tool it is about when the run uses the graph', async () => {
  const bench = new MemoryBench();
  const memory_config = { persistence_mode: 'vector_plus_graph' as const };
  await bench.remember('x', {}, { calls: [failed('charge')], request: { memory_config } });
  const tools = [{ ...toolSpec('charge'), tool_type: 'func' as const }];
  const asks = async (config: Config) => {
    const { items, phases } = await bench.recall('hello there', {}, { memory_config: config, tools });
    return [items.length, phases.at(-1)?.memory?.['graph_hits']];
  };
  expect(await asks(memory_config)).toEqual([1, 1]);
  expect(await asks({})).toEqual([0, 0]);
});

it('recalls at most three passages of a resource, in their own order and without its title', async () => {
  const parts = ['zebra', 'zebra zebra', 'zebra zebra zebra', 'zebra zebra zebra zebra'];
  const shown = async (count: number) => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    const text_content = parts
      .slice(0, count)
      .map((part) => part.padEnd(900, '.'))
      .join('\n\n');
    await resources.create(caller(), { name: 'Zebra book', text_content });
    const { items, texts } = await bench.recall('zebra');
    expect(items.map(({ title }) => title)).toEqual(['Zebra book']);
    return texts[0]?.split('\n…\n').map((text) => text.replace(/\.+$/, ''));
  };
  expect(await shown(3)).toEqual(parts.slice(0, 3));
  expect(await shown(4)).toHaveLength(3);
});

it('recalls a resource without text by its name', async () => {
  const bench = new MemoryBench();
  const { resources } = await bench.memory.open();
  await resources.create(caller(), { name: 'Zebra book', source_url: 'https://x.test' });
  expect((await bench.recall('zebra')).texts).toEqual(['Zebra book']);
});

it('ranks a record that is found in two ways before one that is found in one', async () => {
  const bench = new MemoryBench();
  const memory_config = { persistence_mode: 'vector_plus_graph' as const };
  await bench.remember('x', {}, { calls: [failed('zebra')], request: { memory_config } });
  const { insights } = await bench.memory.open();
  await insights.create(caller(), { content: 'zebra', relevance_score: 0.5 });
  const titles = async (persistence_mode: 'vector_only' | 'vector_plus_graph') =>
    (await bench.recall('zebra', {}, { memory_config: { persistence_mode } })).items.map(
      ({ title }) => title,
    );
  expect(await titles('vector_only')).toEqual(['lesson', 'failure_pattern']);
  expect(await titles('vector_plus_graph')).toEqual(['failure_pattern', 'lesson']);
});
