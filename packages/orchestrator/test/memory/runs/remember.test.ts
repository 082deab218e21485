import { describe, expect, it } from 'vitest';
import { caller, failed, MemoryBench } from '../../support/memory-bench.js';

const page = { limit: 50, offset: 0 };

describe('a tool that failed', () => {
  it('leaves a decaying failure pattern that weighs more with each failed run', async () => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    const phases = await bench.remember(
      'x',
      {},
      { calls: [failed('charge'), failed('charge'), { toolName: 'look' }] },
    );
    expect(phases.map(({ phase }) => phase)).toEqual(['memory_insight_extracted', 'memory_indexed']);
    const content = 'The tool charge failed with DECLINED: the card was declined';
    const sharing_scope = 'agent';
    expect(phases[0]?.memory).toEqual({
      mode: 'extract_insights',
      policy_mode: 'vector_only',
      insight_count: 1,
      insights: [{ insight_type: 'failure_pattern', content, relevance_score: 0.5, sharing_scope }],
    });
    expect(insights.list(caller(), page)).toMatchObject([
      {
        insight_type: 'failure_pattern',
        content,
        sharing_scope,
        agent_id: 'a',
        relevance_score: 0.5,
        decay_model: 'exponential',
        origin: 'ai_generated',
      },
    ]);
    await bench.remember('x', {}, { isCompleted: false, calls: [failed('charge')] });
    expect(insights.list(caller(), page)).toMatchObject([{ relevance_score: 0.75 }]);
  });

  it('is counted once per run, even when a crash makes the run end twice', async () => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    const run = { session: 's' };
    const phases = await bench.remember('x', run, { calls: [failed('charge')] });
    expect(phases).toHaveLength(2);
    expect(await bench.remember('x', run, { calls: [failed('charge')] })).toEqual(phases);
    expect(insights.list(caller(), page)).toMatchObject([{ relevance_score: 0.5 }]);
  });

  it('leaves no personal data from its message', async () => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    await bench.remember('x', {}, { calls: [failed('mail', 'BOUNCED', 'no box for jane@example.com')] });
    const [insight] = insights.list(caller(), page);
    expect(insight?.content).not.toContain('jane@example.com');
    expect(insight?.content).toMatch(/no box for \{_\{\w+\}_\}/);
  });

  it('leaves nothing when its error only says that the result was withheld', async () => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    await bench.remember('x', {}, { calls: [{ ...failed('charge'), isWithheld: true }] });
    expect(insights.list(caller(), page)).toEqual([]);
  });

  it.each([
    ['none when insights are off', { enabled: false }, 0],
    ['none below the minimum relevance', { min_relevance_score: 0.6 }, 0],
    ['one per tool at the minimum relevance', { min_relevance_score: 0.5 }, 3],
    ['at most max_count', { max_count: 2 }, 2],
    ['none for a swarm that the run does not have', { sharing_scope: 'swarm' as const }, 0],
  ])('leaves insights as the request says: %s', async (_, insight_extraction, count) => {
    const bench = new MemoryBench();
    const { insights } = await bench.memory.open();
    const calls = [failed('a'), failed('b'), failed('c')];
    await bench.remember('x', {}, { calls, request: { memory_config: { insight_extraction } } });
    expect(insights.list(caller(), page)).toHaveLength(count);
  });
});

describe('a sequence of tools that led to an answer', () => {
  const wanted = { memory_config: { skill_extraction: { enabled: true } } };
  const calls = [{ toolName: 'find' }, { toolName: 'find' }, { toolName: 'refund' }];
  const tools = (count: number) => Array.from({ length: count }, (_, number) => ({ toolName: `t${number}` }));

  it('becomes a skill only when skills are wanted, with the confidence it has earned', async () => {
    const bench = new MemoryBench();
    const { skills } = await bench.memory.open();
    await bench.remember('x', {}, { calls });
    expect(skills.list(caller(), page)).toEqual([]);
    const phases = await bench.remember('x', {}, { calls, request: wanted });
    expect(phases[0]?.phase).toBe('memory_skill_extracted');
    const description = 'Observed: these tools, called in this order, led to an answer.';
    expect(phases[0]?.memory).toEqual({
      mode: 'extract_skills',
      policy_mode: 'vector_only',
      skill_count: 1,
      skills: [{ name: 'find → refund', description, confidence: 2 / 3, sharing_scope: 'agent' }],
    });
    const [skill] = skills.list(caller(), page);
    expect(skill).toMatchObject({
      name: 'find → refund',
      steps: [{ tool: 'find' }, { tool: 'refund' }],
      origin: 'ai_generated',
      application_count: 1,
      success_rate: 1,
    });
    expect(skill?.confidence).toBeCloseTo(2 / 3);
    await bench.remember('x', {}, { calls, request: wanted });
    expect(skills.list(caller(), page)).toMatchObject([
      { application_count: 2, confidence: 0.75, version: 1 },
    ]);
    expect((await bench.recall('refund')).items).toHaveLength(1);
  });

  it('is no longer recalled when it stops leading to an answer', async () => {
    const bench = new MemoryBench();
    await bench.remember('x', {}, { calls, request: wanted });
    expect((await bench.recall('refund')).items).toHaveLength(1);
    for (let run = 0; run < 2; run += 1) {
      await bench.remember('x', {}, { calls, isCompleted: false, request: wanted });
    }
    const { skills } = await bench.memory.open();
    expect(skills.list(caller(), page)).toMatchObject([
      { application_count: 3, success_rate: 1 / 3, confidence: 0.4 },
    ]);
    expect((await bench.recall('refund')).items).toEqual([]);
  });

  it('is not recalled again once somebody has deprecated it, however often it leads to an answer', async () => {
    const bench = new MemoryBench();
    await bench.remember('x', {}, { calls, request: wanted });
    const { skills } = await bench.memory.open();
    const { id = '' } = skills.list(caller(), page)[0] ?? {};
    await skills.update(caller(), id, { status: 'deprecated' });
    await bench.remember('x', {}, { calls, request: wanted });
    expect(skills.get(caller(), id)).toMatchObject({ application_count: 2, status: 'deprecated' });
    expect((await bench.recall('refund')).items).toEqual([]);
  });

  it.each<
    [string, { confidence_threshold?: number; sharing_scope?: 'project' }, { toolName: string }[], number]
  >([
    ['not below the confidence threshold', { confidence_threshold: 0.7 }, calls, 0],
    ['above the confidence threshold', { confidence_threshold: 0.66 }, calls, 1],
    ['not with one tool', {}, [{ toolName: 'find' }], 0],
    ['with twenty tools', {}, tools(20), 1],
    ['not with more than twenty tools', {}, tools(21), 0],
    ['of the scope that the request sets', { sharing_scope: 'project' as const }, calls, 1],
  ])('becomes a skill or not: %s', async (_, more, made, count) => {
    const bench = new MemoryBench();
    const { skills } = await bench.memory.open();
    const request = { memory_config: { skill_extraction: { enabled: true, ...more } } };
    await bench.remember('x', {}, { calls: made, request });
    const sharing_scope = more.sharing_scope ?? 'agent';
    expect(skills.list(caller(), { ...page, sharing_scope })).toHaveLength(count);
  });
});

describe('the summary of a turn', () => {
  it('contains the question, the tools and the answer', async () => {
    const bench = new MemoryBench();
    const run = { thread: 't' };
    await bench.remember('where is   order 17?', run, {
      answer: 'At the depot.',
      calls: [{ toolName: 'find' }],
    });
    const { items } = await bench.recall('the order', run);
    expect(items).toMatchObject([
      { kind: 'summary', text: 'Asked: where is order 17?\nTools: find\nAnswered: At the depot.' },
    ]);
  });

  it('is not recalled when its turn is in the conversation', async () => {
    const bench = new MemoryBench();
    await bench.remember('where is the zebra?', { thread: 't' }, { answer: 'At the depot.' });
    expect((await bench.recall('where is the zebra?', { thread: 't' })).items).toEqual([]);
    expect((await bench.recall('and the zebra?', { thread: 't' })).items).toHaveLength(1);
  });

  it.each([
    ['summaries are off', { request: { memory_config: { summarization_enabled: false } } }],
    ['the run failed', { isCompleted: false }],
    ['there is no answer', { answer: '' }],
    ['the run is a member’s part of a turn', { request: { swarm_config: { agent_invocation: true } } }],
  ])('is not stored when %s', async (_, outcome) => {
    const bench = new MemoryBench();
    await bench.remember('a zebra', { thread: 't' }, { answer: 'yes', ...outcome });
    expect((await bench.recall('zebra', { thread: 't' })).items).toEqual([]);
  });
});

it('links what a run stores to its tools, and a summary to its thread, when the graph is kept', async () => {
  const bench = new MemoryBench();
  const { database } = await bench.memory.open();
  const skill_extraction = { enabled: true, confidence_threshold: 0.3 };
  const memory_config = { persistence_mode: 'vector_plus_graph' as const, skill_extraction };
  const calls = [{ toolName: 'find' }, failed('charge')];
  const run = { thread: 't', session: 's' };
  const phases = await bench.remember('x', run, { answer: 'y', calls, request: { memory_config } });
  const left = database.assets.withNumbers(database.runs.read('s') ?? []);
  expect(left.map(({ kind, number }) => [kind, ...database.edges.of(number)])).toEqual([
    ['summary', 'thread:t', 'tool:charge', 'tool:find'],
    ['insight', 'tool:charge'],
    ['skill', 'tool:charge', 'tool:find'],
  ]);
  expect(phases.at(-1)?.memory).toMatchObject({ persisted_count: 3, vector_rows: 3, graph_edges: 6 });
});

it('requires no more room in a project than the run can fill', async () => {
  const bench = new MemoryBench({ recordsPerProject: 2 });
  const { database } = await bench.memory.open();
  const request = { memory_config: { insight_extraction: { enabled: false } } };
  await bench.remember('x', { thread: 't' }, { answer: 'y', request });
  expect(database.assets.usage('p').records).toBe(1);
});

it('stores records of tools whose names and error codes are extremely long', async () => {
  const bench = new MemoryBench();
  const { database } = await bench.memory.open();
  const long = 'x'.repeat(300_000);
  const names = Array.from({ length: 20 }, (_, number) => ({ toolName: `${number}${long}` }));
  const request = { memory_config: { skill_extraction: { enabled: true, confidence_threshold: 0 } } };
  const calls = [...names.slice(1), failed(`19${long}`, long)];
  await bench.remember('x', { session: 's', thread: 't' }, { answer: 'y', calls, request });
  expect(bench.errors).toEqual([]);
  expect(database.assets.withNumbers(database.runs.read('s') ?? []).map(({ kind }) => kind)).toEqual([
    'summary',
    'insight',
    'skill',
  ]);
});

it('stores nothing more when the project is full, and reports an error', async () => {
  const bench = new MemoryBench({ recordsPerProject: 4 });
  const { insights } = await bench.memory.open();
  await insights.create(caller(), { content: 'one' });
  const { memory } = bench;
  const statuses: string[] = [];
  await memory.remember(
    bench.subject('x', { thread: 't' }),
    { isCompleted: true, asked: 'x', answer: 'y', calls: [failed('a')] },
    { onPhase: async ({ memory: facts }) => void statuses.push(String(facts?.['status'])) },
  );
  expect(statuses).toEqual(['error']);
  expect(bench.errors).toMatchObject([{ code: 'MEMORY_FULL' }]);
  expect(insights.list(caller(), page)).toHaveLength(1);
});

it('updates records when the project is full, but adds none', async () => {
  const bench = new MemoryBench({ recordsPerProject: 2 });
  const { insights, skills } = await bench.memory.open();
  const insight = await insights.create(caller(), { content: 'one' });
  const skill = await skills.create(caller(), { name: 'Zebra', sharing_scope: 'project' });
  const full = { code: 'MEMORY_FULL' };
  await expect(insights.create(caller(), { content: 'two' })).rejects.toMatchObject(full);
  await expect(skills.create(caller(), { name: 'Horse' })).rejects.toMatchObject(full);
  await expect(insights.update(caller(), insight.id, { content: '1' })).resolves.toMatchObject({
    content: '1',
  });
  await expect(skills.update(caller(), skill.id, { description: 'striped' })).resolves.toMatchObject({
    description: 'striped',
  });
  // A run sends the skill again with another description.
  const defined = { name: 'Zebra', description: 'black and white', sharing_scope: 'project' as const };
  const { items } = await bench.recall('x', {}, { memory_assets_config: { defined_skills: [defined] } });
  expect(items).toMatchObject([{ title: 'Zebra', text: expect.stringContaining('black and white') }]);
});

it('refuses records that are too large, and changes that make them so', async () => {
  const { insights, skills, resources } = await new MemoryBench().memory.open();
  const metadata = { text: 'x'.repeat(256 * 1024) };
  const tooLong = { code: 'RECORD_TOO_LARGE' };
  await expect(skills.create(caller(), { name: 'Zebra', steps: [metadata] })).rejects.toMatchObject(tooLong);
  const skill = await skills.create(caller(), { name: 'Zebra' });
  await expect(skills.update(caller(), skill.id, { steps: [metadata] })).rejects.toMatchObject(tooLong);
  const insight = await insights.create(caller(), { content: 'one' });
  const changed = insights.update(caller(), insight.id, { content: metadata.text });
  await expect(changed).rejects.toMatchObject(tooLong);
  const body = { name: 'Herd', text_content: 'Zebras' };
  await expect(resources.create(caller(), { ...body, metadata })).rejects.toMatchObject(tooLong);
  const resource = await resources.create(caller(), body);
  await expect(resources.update(caller(), resource.id, { metadata })).rejects.toMatchObject(tooLong);
});
