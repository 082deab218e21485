import { describe, expect, it } from 'vitest';
import { InsightBodySchema } from '../../src/memory/knowledge/insights.js';
import { BindBodySchema } from '../../src/memory/memory-bodies.js';
import type { OpenMemory } from '../../src/memory/memory.js';
import { ResourceBodySchema } from '../../src/memory/resources/resource-body.js';
import { SkillBodySchema } from '../../src/memory/knowledge/skills.js';
import { caller as callerOf, MemoryBench } from '../support/memory-bench.js';

const caller = { projectId: 'p', organization: 'o' };

it.each(['skills', 'insights'] as const)(
  'stores only one of two %s that are created with the same id at once',
  async (kind) => {
    const bench = new MemoryBench();
    const keeper = (await bench.memory.open())[kind];
    const create = (text: string) => keeper.create(caller, { id: 'one', name: text, content: text });
    const [first, second] = await Promise.allSettled([create('first'), create('second')]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { id: 'one' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'MEMORY_CONFLICT' } });
    expect(keeper.list(caller, { limit: 9, offset: 0 })).toHaveLength(1);
  },
);

it.each(['skills', 'insights'] as const)(
  'stores %s without an id under their present name or words, not under earlier ones',
  async (kind) => {
    const keeper = (await new MemoryBench().memory.open())[kind];
    const create = (text: string) => keeper.create(caller, { name: text, content: text });
    const { id } = await create('first');
    await keeper.update(caller, id, { name: 'second', content: 'second' });
    expect((await create('first')).id).not.toBe(id);
    expect((await create('second')).id).toBe(id);
    expect(keeper.get(caller, id)).toMatchObject(
      kind === 'skills' ? { name: 'second' } : { content: 'second' },
    );
    expect(keeper.list(caller, { limit: 9, offset: 0 })).toHaveLength(2);
  },
);

type Write = (memory: OpenMemory) => Promise<unknown>;

/** Every way to store something over HTTP. */
const writes: [string, Write][] = [
  ['an insight', ({ insights }) => insights.create(caller, { content: 'more' })],
  ['a change to an insight', ({ insights }) => insights.update(caller, 'one', { content: 'more' })],
  ['the promotion of an insight', ({ insights }) => insights.promote(caller, 'one', 'org')],
  ['a skill', ({ skills }) => skills.create(caller, { name: 'more' })],
  ['a change to a skill', ({ skills }) => skills.update(caller, 'one', { description: 'more' })],
  ['a resource', ({ resources }) => resources.create(caller, { name: 'more', text_content: 'more' })],
  ['a change to a resource', async ({ resources }) => resources.update(caller, 'one', { name: 'more' })],
  ['new bytes for a resource', ({ resources }) => resources.replace(caller, 'one', { text_content: 'more' })],
  ['the restoration of a resource', async ({ resources }) => resources.restore(caller, 'one')],
];

async function storeOne({ insights, skills, resources }: OpenMemory): Promise<void> {
  await insights.create(caller, { id: 'one', content: 'one' });
  await skills.create(caller, { id: 'one', name: 'one' });
  await resources.create(caller, { id: 'one', name: 'one', text_content: 'one' });
}

describe('a policy that keeps nothing', () => {
  it.each(writes)('refuses %s', async (_, write) => {
    const memory = await new MemoryBench().memory.open();
    await storeOne(memory);
    await memory.policies.change(caller, { persistence_ceiling: 'persist_none' });
    await expect(write(memory)).rejects.toMatchObject({ code: 'MEMORY_DISABLED' });
  });
});

const grows = new Set([
  'an insight',
  'the promotion of an insight',
  'a skill',
  'a resource',
  'new bytes for a resource',
]);

describe('a project that has reached its record limit', () => {
  it.each(writes.filter(([what]) => grows.has(what)))('refuses %s', async (_, write) => {
    const memory = await new MemoryBench({ recordsPerProject: 3 }).memory.open();
    await storeOne(memory);
    await expect(write(memory)).rejects.toMatchObject({ code: 'MEMORY_FULL' });
  });

  it.each(writes.filter(([what]) => !grows.has(what)))('accepts %s', async (_, write) => {
    const memory = await new MemoryBench({ recordsPerProject: 3 }).memory.open();
    await storeOne(memory);
    await expect(write(memory)).resolves.toBeDefined();
  });
});

const text = 'x'.repeat(256 * 1024);

it.each<[string, Write]>([
  ['a change to a skill', ({ skills }) => skills.update(caller, 'one', { steps: [{ text }] })],
  [
    'a change to a resource',
    async ({ resources }) => resources.update(caller, 'one', { metadata: { text } }),
  ],
])('refuses %s that makes it too large, and changes nothing', async (_, write) => {
  const memory = await new MemoryBench().memory.open();
  await storeOne(memory);
  const stored = () => [memory.skills.get(caller, 'one'), memory.resources.get(caller, 'one')];
  const before = stored();
  await expect(write(memory)).rejects.toMatchObject({ code: 'RECORD_TOO_LARGE' });
  expect(stored()).toEqual(before);
});

const owner = { sharing_scope: 'agent', agent_id: 'a', swarm_id: 'w' };
const fields = { a: 1 };

it.each([
  [
    'an insight',
    InsightBodySchema,
    {
      id: 'i',
      insight_type: 'warning',
      content: 'c',
      relevance_score: 0.5,
      decay_model: 'linear',
      half_life_days: 3,
      ttl_days: null,
      ...owner,
    },
  ],
  [
    'a skill',
    SkillBodySchema,
    {
      id: 'i',
      skill_id: 's',
      name: 'n',
      title: 't',
      description: 'd',
      content: 'c',
      steps: [fields],
      preconditions: fields,
      postconditions: fields,
      metadata: fields,
      confidence: 0.5,
      origin: 'ai_generated',
      status: 'deprecated',
      ...owner,
    },
  ],
  [
    'a resource',
    ResourceBodySchema,
    {
      id: 'i',
      resource_id: 'r',
      name: 'n',
      title: 't',
      description: 'd',
      tags: ['x'],
      mime_type: 'm',
      content_base64: 'QQ==',
      text_content: 'c',
      binding_type: 'agent',
      bound_agent_id: 'a',
      bound_swarm_id: 'w',
      source_type: 's',
      source_url: 'u',
      metadata: fields,
      ...owner,
    },
  ],
])('reads all known fields from the body of %s, and nothing else', (_, schema, body) => {
  expect(schema.parse({ ...body, surprise: true })).toEqual(body);
  expect(schema.parse(Object.fromEntries(Object.keys(body).map((name) => [name, null])))).toBeDefined();
});

it.each([
  [SkillBodySchema, 'id'],
  [SkillBodySchema, 'skill_id'],
  [SkillBodySchema, 'agent_id'],
  [SkillBodySchema, 'swarm_id'],
  [InsightBodySchema, 'id'],
  [InsightBodySchema, 'agent_id'],
  [InsightBodySchema, 'swarm_id'],
  [ResourceBodySchema, 'id'],
  [ResourceBodySchema, 'resource_id'],
  [ResourceBodySchema, 'bound_agent_id'],
  [ResourceBodySchema, 'bound_swarm_id'],
  [BindBodySchema, 'target_id'],
])('refuses an id that a store would not return unchanged (%#)', (schema, field) => {
  const body = { binding_type: 'agent' };
  expect(schema.safeParse({ ...body, [field]: 'größer 🙂 __proto__' }).success).toBe(true);
  for (const id of ['a\0b', '\ud800', 'a\udfff'])
    expect(schema.safeParse({ ...body, [field]: id }).error?.issues).toMatchObject([
      { path: [field], code: 'invalid_format' },
    ]);
});

it.each([
  [SkillBodySchema, 'id'],
  [SkillBodySchema, 'skill_id'],
  [InsightBodySchema, 'id'],
  [ResourceBodySchema, 'id'],
  [ResourceBodySchema, 'resource_id'],
])('refuses an id that cannot be a segment of a URL (%#)', (schema, field) => {
  for (const id of ['...', '.a', 'a/b', 'x'.repeat(128)])
    expect(schema.safeParse({ [field]: id }).success).toBe(true);
  for (const id of ['.', '..', '', 'x'.repeat(129)])
    expect(schema.safeParse({ [field]: id }).error?.issues).toMatchObject([{ path: [field] }]);
});

it('returns the organization and the times of creation and change with records and policies', async () => {
  const bench = new MemoryBench();
  const { insights, policies } = await bench.memory.open();
  const times = () => ({ updated_at: new Date(bench.clock.nowMs()).toISOString() });
  const mine = callerOf('p', 'o');
  expect(policies.get(mine)).not.toHaveProperty('created_at');
  const where = { organization_id: 'o', created_at: times().updated_at };
  expect(await insights.create(mine, { id: 'i', content: 'one' })).toMatchObject({
    project_id: 'p',
    ...where,
    ...times(),
  });
  expect(await policies.change(mine, {})).toMatchObject({ ...where, ...times() });
  bench.clock.advance(1);
  expect(await insights.update(mine, 'i', { content: 'two' })).toMatchObject({ ...where, ...times() });
  expect(await policies.change(mine, {})).toMatchObject({ ...where, ...times() });
  expect(await insights.create(callerOf('q'), { content: 'one' })).not.toHaveProperty('organization_id');
});

it.each(['skills', 'insights'] as const)(
  'changes the scope of %s only with the id that the scope needs',
  async (kind) => {
    const keeper = (await new MemoryBench().memory.open())[kind];
    const agent = { sharing_scope: 'agent', agent_id: 'a' } as const;
    const { id } = await keeper.create(caller, { name: 'one', content: 'one', ...agent });
    const change = async (body: Parameters<typeof keeper.update>[2]) => {
      const { sharing_scope, agent_id, swarm_id } = await keeper.update(caller, id, body);
      return { sharing_scope, agent_id, swarm_id };
    };
    expect(await change({ content: 'two' })).toEqual(agent);
    expect(await change({ sharing_scope: 'agent' })).toEqual(agent);
    expect(await change({ agent_id: 'b' })).toEqual({ sharing_scope: 'agent', agent_id: 'b' });
    await expect(change({ sharing_scope: 'swarm' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { sharing_scope: 'swarm' },
    });
    const swarm = { sharing_scope: 'swarm', swarm_id: 'w' } as const;
    expect(await change(swarm)).toEqual(swarm);
    expect(await change({ sharing_scope: 'swarm' })).toEqual(swarm);
    await expect(change({ sharing_scope: 'agent' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await change({ sharing_scope: 'project' })).toEqual({ sharing_scope: 'project' });
  },
);
