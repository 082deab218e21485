import { describe, expect, it } from 'vitest';
import { caller, MemoryBench } from '../../support/memory-bench.js';

const dayMs = 86_400_000;
const page = { limit: 9, offset: 0 };
const book = { id: 'book', name: 'Book', text_content: 'one' };

describe('the change of a resource', () => {
  it('says what it says anew, and leaves the rest', async () => {
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

  it('of its scope takes it to its new owner', async () => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    await resources.update(caller(), 'book', { sharing_scope: 'swarm', swarm_id: 'w' });
    expect(resources.get(caller(), 'book')).toMatchObject({ sharing_scope: 'swarm', bound_swarm_id: 'w' });
  });

  it.each(['agent', 'swarm'] as const)('binds it to the %s that is named, whatever else is', async (kind) => {
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
  });

  it.each(['agent', 'swarm'] as const)('binds it to the %s that alone is named', async (kind) => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    const change = { [`bound_${kind}_id`]: 'x' };
    expect(await resources.update(caller(), 'book', change)).toMatchObject({ binding_type: kind, ...change });
  });

  it.each<[string, object]>([
    ['names an agent and a swarm', { bound_agent_id: 'a', bound_swarm_id: 'w' }],
    ['brings bytes along', { content_base64: 'QQ==' }],
    ['brings a text along', { text_content: '' }],
  ])('is refused where it %s', async (_case, change) => {
    const { resources } = await new MemoryBench().memory.open();
    const created = await resources.create(caller(), book);
    const refused = resources.update(caller(), 'book', change);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(resources.get(caller(), 'book')).toEqual(created);
  });

  it('needs bytes where it is to replace them', async () => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    await expect(resources.replace(caller(), 'book', { name: 'Atlas' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });
});

it.each(['agent', 'swarm'] as const)('a resource is stored for the %s that alone is named', async (kind) => {
  const { resources } = await new MemoryBench().memory.open();
  const named = { [`bound_${kind}_id`]: 'x' };
  expect(await resources.create(caller(), { ...book, ...named })).toMatchObject({
    binding_type: kind,
    sharing_scope: kind,
    ...named,
  });
});

it.each(['agent', 'swarm'] as const)('a resource is not bound where no %s is named', async (kind) => {
  const { resources } = await new MemoryBench().memory.open();
  const bound = { ...book, binding_type: kind, sharing_scope: 'project' } as const;
  await expect(resources.create(caller(), bound)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(resources.list(caller(), page)).toEqual([]);
});

it('resources are listed by where they are bound and how they stand', async () => {
  const { resources } = await new MemoryBench().memory.open();
  await resources.create(caller(), book);
  await resources.create(caller(), { ...book, id: 'atlas', binding_type: 'unbound', sharing_scope: 'org' });
  await resources.delete(caller(), 'book');
  const ids = (query: object) => resources.list(caller(), { ...page, ...query }).map(({ id }) => id);
  expect(ids({ binding_type: 'portal' })).toEqual(['book']);
  expect(ids({ status: 'registered' })).toEqual(['atlas']);
});

it('other bytes may be of another type', async () => {
  const { resources } = await new MemoryBench().memory.open();
  await resources.create(caller(), book);
  const [html, same] = [
    await resources.replace(caller(), 'book', { text_content: '<p>', mime_type: 'text/html' }),
    await resources.replace(caller(), 'book', { text_content: '<b>' }),
  ];
  expect([html.format, same.format]).toEqual(['text/html', 'text/html']);
});

describe('the binding of a resource', () => {
  it.each(['agent', 'swarm'] as const)('to its %s comes back, however often it was unbound', async (kind) => {
    const { resources } = await new MemoryBench().memory.open();
    await resources.create(caller(), book);
    const bound = await resources.bind(caller(), 'book', { binding_type: kind, target_id: 'it' });
    for (const binding_type of ['unbound', 'unbound'] as const)
      await resources.bind(caller(), 'book', { binding_type });
    const back = await resources.rebind(caller(), 'book');
    expect(back).toEqual({ ...bound, updated_at: back.updated_at });
    expect(back).toMatchObject({ binding_type: kind, [`bound_${kind}_id`]: 'it' });
  });
});

describe('resources offered for removal', () => {
  it('are those that are unbound, the longest unbound first', async () => {
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

  it('say why when nobody asked for them for thirty days', async () => {
    const bench = new MemoryBench();
    const { resources } = await bench.memory.open();
    await resources.create(caller(), { ...book, sharing_scope: 'project', binding_type: 'unbound' });
    const said = () => {
      const [candidate] = resources.candidates(caller(), { minAgeDays: 0, ...page });
      const { cleanup_candidate, cleanup_candidate_reason } = resources.get(caller(), 'book');
      expect(cleanup_candidate).toBe(cleanup_candidate_reason !== undefined);
      expect(candidate?.['cleanup_candidate_reason']).toBe(cleanup_candidate_reason);
      return cleanup_candidate_reason;
    };
    bench.clock.advance(30 * dayMs - 1);
    expect(said()).toBeUndefined();
    bench.clock.advance(1);
    expect(said()).toBe('unbound and unused for 30 days');
    await bench.recall('book');
    expect(said()).toBeUndefined();
    bench.clock.advance(31 * dayMs);
    expect(said()).toBe('unbound and unused for 31 days');
    const [candidate] = resources.candidates(caller(), { minAgeDays: 0, ...page });
    expect(candidate).toMatchObject({ id: 'book', name: 'Book', query_count: 1, binding_type: 'unbound' });
    expect(candidate?.['last_queried_at']).toBe(new Date(bench.clock.nowMs() - 31 * dayMs).toISOString());
  });
});

describe('a deletion that is taken back', () => {
  it('takes the earlier versions back too', async () => {
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
