import { describe, expect, it } from 'vitest';
import { caller, MemoryBench } from '../../support/memory-bench.js';

const dayMs = 86_400_000;
const page = { limit: 9, offset: 0 };
const book = { id: 'book', name: 'Book', text_content: 'one' };

describe('updating a resource', () => {
  it('does not move it to an owner who has a resource with the same identity', async () => {
    const { resources } = await new MemoryBench().memory.open();
    const create = (agent: string) =>
      resources.create(caller(), {
        resource_id: 'terms',
        name: 'terms',
        text_content: `of ${agent}`,
        binding_type: 'agent',
        bound_agent_id: agent,
      });
    const [first, second] = [await create('a'), await create('b')];
    const move = () => resources.update(caller(), second.id, { sharing_scope: 'agent', agent_id: 'a' });
    await expect(move()).rejects.toMatchObject({
      code: 'MEMORY_CONFLICT',
      details: { kind: 'resource', id: first.id },
    });
    expect(resources.get(caller(), second.id)).toMatchObject({ bound_agent_id: 'b' });
    await resources.delete(caller(), first.id);
    expect(await move()).toMatchObject({ sharing_scope: 'agent', registration_status: 'registered' });
  });

  it('changes the given fields and keeps the others', async () => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), { ...book, description: 'Of the shelf', tags: ['x'] });
    const change = { tags: ['y'], source_url: 'https://x.test', metadata: { shelf: 'left' } };
    expect(await resources.update(caller(), 'book', { title: 'Atlas', ...change })).toMatchObject({
      name: 'Atlas',
      description: 'Of the shelf',
      ...change,
    });
    expect(await resources.update(caller(), 'book', { description: 'Of maps' })).toMatchObject({
      name: 'Atlas',
      description: 'Of maps',
      ...change,
    });
  });

  it('moves it to the new owner when the scope changes', async () => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    await resources.update(caller(), 'book', { sharing_scope: 'swarm', swarm_id: 'w' });
    expect(resources.get(caller(), 'book')).toMatchObject({ sharing_scope: 'swarm', bound_swarm_id: 'w' });
  });

  it('moves its earlier versions too, so that a deletion still hides them', async () => {
    const bench = new MemoryBench();
    const { resources, policies } = await bench.memory.open();
    await resources.create(caller(), book);
    const { id } = await resources.replace(caller(), 'book', { text_content: 'two' });
    const moved = await resources.update(caller(), id, { sharing_scope: 'swarm', swarm_id: 'w' });
    expect(moved.version_chain).toHaveLength(2);
    await resources.delete(caller(), id);
    bench.clock.advance(31 * dayMs);
    await policies.sweep();
    expect(resources.list(caller(), page)).toEqual([]);
  });

  it.each(['agent', 'swarm'] as const)(
    'binds it to the %s of its binding type, even when another owner is named',
    async (kind) => {
      const { resources } = await new MemoryBench().memory.open();
      await resources.create(caller(), book);
      const named = { bound_agent_id: 'a', bound_swarm_id: 'w' };
      const { bound_agent_id, bound_swarm_id } = await resources.update(caller(), 'book', {
        binding_type: kind,
        ...named,
      });
      expect({ bound_agent_id, bound_swarm_id }).toEqual(
        kind === 'agent' ? { bound_agent_id: 'a' } : { bound_swarm_id: 'w' },
      );
    },
  );

  it.each(['agent', 'swarm'] as const)('binds it to the %s when only that is named', async (kind) => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    const change = { [`bound_${kind}_id`]: 'x' };
    expect(await resources.update(caller(), 'book', change)).toMatchObject({ binding_type: kind, ...change });
  });

  it.each<[string, object]>([
    ['names an agent and a swarm', { bound_agent_id: 'a', bound_swarm_id: 'w' }],
    ['contains bytes', { content_base64: 'QQ==' }],
    ['contains text', { text_content: '' }],
  ])('is refused when the change %s', async (_case, change) => {
    const { resources } = await new MemoryBench().memory.open();
    const created = await resources.create(caller(), book);
    const refused = resources.update(caller(), 'book', change);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(resources.get(caller(), 'book')).toEqual(created);
  });

  it('is refused when it replaces the bytes but has none', async () => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    await expect(resources.replace(caller(), 'book', { name: 'Atlas' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it.each([
    [{ sharing_scope: 'org' as const }],
    [{ binding_type: 'unbound' as const }],
    [{ binding_type: undefined, bound_agent_id: undefined, bound_swarm_id: 'w' }],
    [{ bound_agent_id: 'b' }],
    [{ agent_id: 'b' }],
  ])('is refused when it replaces the bytes and names another place with %j', async (other) => {
    const { resources } = await new MemoryBench().memory.open();
    const kept = { sharing_scope: 'agent', binding_type: 'agent', bound_agent_id: 'a' } as const;
    await resources.create(caller(), { ...book, ...kept });
    const next = { ...book, ...kept, text_content: 'two' };
    await expect(resources.replace(caller(), 'book', { ...next, ...other })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('PATCH and /bind'),
    });
    expect(await resources.replace(caller(), 'book', next)).toMatchObject(kept);
  });

  it('may replace the bytes with what it was created from, whichever ids that names', async () => {
    const { resources } = await new MemoryBench().memory.open();
    const made = { ...book, sharing_scope: 'project', agent_id: 'a', swarm_id: 'w' } as const;
    await resources.create(caller(), made);
    const next = await resources.replace(caller(), 'book', { ...made, text_content: 'two' });
    expect(next).toMatchObject({
      sharing_scope: 'project',
      binding_type: 'portal',
      replaces_resource_id: 'book',
    });
  });
});

it.each(['agent', 'swarm'] as const)('stores a resource for the %s when only that is named', async (kind) => {
  const { resources } = await new MemoryBench().memory.open();
  const named = { [`bound_${kind}_id`]: 'x' };
  expect(await resources.create(caller(), { ...book, ...named })).toMatchObject({
    binding_type: kind,
    sharing_scope: kind,
    ...named,
  });
});

it.each(['agent', 'swarm'] as const)(
  'refuses the binding type %s when no id is given for it',
  async (kind) => {
    const { resources } = await new MemoryBench().memory.open();
    const bound = { ...book, binding_type: kind, sharing_scope: 'project' } as const;
    await expect(resources.create(caller(), bound)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(resources.list(caller(), page)).toEqual([]);
  },
);

it('lists resources by their binding type and status', async () => {
  const { resources } = await new MemoryBench().memory.open();
  await resources.create(caller(), book);
  await resources.create(caller(), { ...book, id: 'atlas', binding_type: 'unbound', sharing_scope: 'org' });
  await resources.delete(caller(), 'book');
  const ids = (query: object) => resources.list(caller(), { ...page, ...query }).map(({ id }) => id);
  expect(ids({ binding_type: 'portal' })).toEqual(['book']);
  expect(ids({ status: 'registered' })).toEqual(['atlas']);
});

it('keeps the media type when bytes are replaced, unless another one is given', async () => {
  const { resources } = await new MemoryBench().memory.open();
  await resources.create(caller(), book);
  const [html, same] = [
    await resources.replace(caller(), 'book', { text_content: '<p>', mime_type: 'text/html' }),
    await resources.replace(caller(), 'book', { text_content: '<b>' }),
  ];
  expect([html.format, same.format]).toEqual(['text/html', 'text/html']);
});

describe('the binding of a resource', () => {
  it.each(['agent', 'swarm'] as const)(
    'to its %s is restored by a rebind, however often it was unbound',
    async (kind) => {
      const { resources } = await new MemoryBench().memory.open();
      await resources.create(caller(), book);
      const bound = await resources.bind(caller(), 'book', { binding_type: kind, target_id: 'it' });
      for (const binding_type of ['unbound', 'unbound'] as const)
        await resources.bind(caller(), 'book', { binding_type });
      const back = await resources.rebind(caller(), 'book');
      expect(back).toEqual({ ...bound, updated_at: back.updated_at });
      expect(back).toMatchObject({ binding_type: kind, [`bound_${kind}_id`]: 'it' });
    },
  );
});

describe('candidates for cleanup', () => {
  it('are the unbound resources, the longest unbound first', async () => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    for (const id of ['a', 'b', 'c', 'd'])
      await resources.create(caller(), { id, name: id, text_content: id });
    for (const id of ['c', 'a', 'b']) {
      await resources.bind(caller(), id, { binding_type: 'unbound' });
      bench.clock.advance(dayMs);
    }
    const ids = (minAgeDays: number, more = page) =>
      resources.candidates(caller(), { minAgeDays, ...more }).map(({ id }) => id);
    expect(ids(0)).toEqual(['c', 'a', 'b']);
    expect(ids(2)).toEqual(['c', 'a']);
    expect(ids(0, { limit: 1, offset: 1 })).toEqual(['a']);
  });

  it('have a reason after thirty days without use', async () => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    await resources.create(caller(), { ...book, sharing_scope: 'project', binding_type: 'unbound' });
    const reason = () => {
      const [candidate] = resources.candidates(caller(), { minAgeDays: 0, ...page });
      const { cleanup_candidate, cleanup_candidate_reason } = resources.get(caller(), 'book');
      expect(cleanup_candidate).toBe(cleanup_candidate_reason !== undefined);
      expect(candidate?.['cleanup_candidate_reason']).toBe(cleanup_candidate_reason);
      return cleanup_candidate_reason;
    };
    bench.clock.advance(30 * dayMs - 1);
    expect(reason()).toBeUndefined();
    bench.clock.advance(1);
    expect(reason()).toBe('unbound and unused for 30 days');
    await bench.recall('book');
    expect(reason()).toBeUndefined();
    bench.clock.advance(31 * dayMs);
    expect(reason()).toBe('unbound and unused for 31 days');
    const [candidate] = resources.candidates(caller(), { minAgeDays: 0, ...page });
    expect(candidate).toMatchObject({ id: 'book', name: 'Book', query_count: 1, binding_type: 'unbound' });
    expect(candidate?.['last_queried_at']).toBe(new Date(bench.clock.nowMs() - 31 * dayMs).toISOString());
  });
});

it('deletes with an older version that is current again also the one it replaced', async () => {
  const bench = new MemoryBench();
  const { resources, policies } = await bench.memory.open();
  await resources.create(caller(), book);
  await resources.replace(caller(), 'book', { text_content: 'two' });
  await resources.restore(caller(), 'book');
  await resources.delete(caller(), 'book');
  bench.clock.advance(31 * dayMs);
  await policies.sweep();
  expect(resources.list(caller(), page)).toEqual([]);
});

it('stores bytes again that only a deleted resource has', async () => {
  const bench = new MemoryBench();
  const { resources } = await bench.memory.open();
  const create = () => resources.create(caller(), { name: 'Book', text_content: 'of whales' });
  const { id } = await create();
  expect((await create()).id).toBe(id);
  await resources.delete(caller(), id);
  expect(await create()).toMatchObject({ registration_status: 'registered' });
  expect((await bench.recall('whales')).texts).toEqual(['of whales']);
});

describe('restoring a deleted resource', () => {
  it('restores its earlier versions too', async () => {
    const bench = new MemoryBench();
    const { resources, policies } = await bench.memory.open();
    await resources.create(caller(), book);
    const { id } = await resources.replace(caller(), 'book', { text_content: 'two' });
    await resources.delete(caller(), id);
    await resources.restore(caller(), id);
    bench.clock.advance(31 * dayMs);
    await policies.sweep();
    expect(resources.get(caller(), id).version_chain).toHaveLength(2);
    expect(await resources.restore(caller(), 'book')).toMatchObject({ registration_status: 'registered' });
  });
});
