import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { newFolder } from '../../support/new-folder.js';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import { WireClient } from '../../support/wire-client.js';

const root = '/projects/local/memory';

describe('memory', () => {
  it('hides the records of another project, even at the caller’s own path', async () => {
    const { orchestrator } = await openOrchestrator({});
    const clientOf = async (project: string) =>
      new WireClient(orchestrator.url, (await orchestrator.keys.create({ project, organization: 'o' })).key);
    const [a, b] = [await clientOf('a'), await clientOf('b')];
    const body = { id: 'one', name: 'n', content: 'c', text_content: 't', sharing_scope: 'org' };
    for (const kind of ['skills', 'insights', 'resources']) {
      expect((await a.request('POST', `/projects/a/memory/${kind}`, body)).status).toBe(201);
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const refused = await b.request(
          method,
          `/projects/b/memory/${kind}/one`,
          method === 'PATCH' ? {} : undefined,
        );
        expect(refused).toMatchObject({ status: 404, body: { code: 'MEMORY_NOT_FOUND' } });
      }
      expect((await b.request('GET', `/projects/b/memory/${kind}`)).body.items).toEqual([]);
      expect((await a.request('GET', `/projects/a/memory/${kind}`)).body.items).toHaveLength(1);
    }
  });

  it('is purged only for the key’s own project and with the confirmation token', async () => {
    const { orchestrator } = await openOrchestrator({});
    const { key } = await orchestrator.keys.create({ project: 'a', organization: 'o' });
    const client = new WireClient(orchestrator.url, key);
    const purge = (body: object) => client.request('POST', '/organizations/o/memory-policy/purge', body);
    await client.request('POST', '/projects/a/memory/insights', { content: 'c' });
    expect(await purge({})).toMatchObject({ status: 422, body: { code: 'PURGE_NOT_CONFIRMED' } });
    expect(await purge({ confirm_token: 'PURGE_MEMORY', project_id: 'b' })).toMatchObject({ status: 403 });
    for (const less of [{ session_id: '' }, { sessionId: 'another' }])
      expect(await purge({ confirm_token: 'PURGE_MEMORY', ...less })).toMatchObject({ status: 422 });
    expect((await client.request('GET', '/projects/a/memory/insights')).body.items).toHaveLength(1);
    expect(await purge({ confirm_token: 'PURGE_MEMORY', session_id: 'another' })).toMatchObject({
      status: 200,
      body: { project_ids: ['a'], session_id: 'another' },
    });
    expect((await client.request('GET', '/projects/a/memory/insights')).body.items).toHaveLength(1);
    expect(await purge({ confirm_token: 'PURGE_MEMORY', project_id: 'a' })).toMatchObject({
      status: 200,
      body: { success: true, project_ids: ['a'], tables: expect.arrayContaining(['memory_assets']) },
    });
    expect((await client.request('GET', '/projects/a/memory/insights')).body.items).toEqual([]);
  });
});

describe('skills', () => {
  it('are stored, found, changed and removed; only changed content makes a new version', async () => {
    const { client } = await openOrchestrator({});
    const created = await client.request('POST', `${root}/skills`, {
      title: 'Refund',
      content: 'How to refund',
      steps: [{ do: 'look' }, { do: 'pay' }],
      agent_id: 'a',
      sharing_scope: 'agent',
      version: 99,
      surprise: true,
    });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Refund', version: 1, origin: 'user_defined' },
    });
    expect(created.body).toMatchObject({ agent_id: 'a', sharing_scope: 'agent', project_id: 'local' });
    const path = `${root}/skills/${created.body.id}`;
    const change = async (body: object) => (await client.request('PATCH', path, body)).body;
    expect(await change({ status: 'deprecated' })).toMatchObject({ version: 1, status: 'deprecated' });
    expect(await change({ description: 'Better' })).toMatchObject({
      version: 2,
      steps: [{ do: 'look' }, { do: 'pay' }],
    });
    const list = async (query: string) =>
      (await client.request('GET', `${root}/skills?${query}`)).body.items.length;
    expect(await list('search=bett')).toBe(1);
    expect(await list('search=how')).toBe(0);
    expect(await list('status=active')).toBe(0);
    expect(await list('status=deprecated&sharing_scope=agent&origin=user_defined&limit=1&offset=0')).toBe(1);
    expect(await list('offset=1')).toBe(0);
    expect((await client.request('DELETE', path)).status).toBe(204);
    expect((await client.request('GET', path)).status).toBe(404);
  });

  it.each([
    ['no name', {}, 422],
    ['a scope without its id', { name: 'n', sharing_scope: 'agent' }, 422],
    ['an unknown scope', { name: 'n', sharing_scope: 'world' }, 422],
    [
      'too much content',
      { name: 'n', steps: Array.from({ length: 60 }, () => ({ text: 'x'.repeat(5000) })) },
      413,
    ],
  ])('are refused with %s', async (_, body, status) => {
    const { client } = await openOrchestrator({});
    expect((await client.request('POST', `${root}/skills`, body)).status).toBe(status);
  });

  it('are not stored twice under one id', async () => {
    const { client } = await openOrchestrator({});
    const post = () => client.request('POST', `${root}/skills`, { id: 's', name: 'n' });
    expect((await post()).status).toBe(201);
    expect(await post()).toMatchObject({ status: 409, body: { code: 'MEMORY_CONFLICT' } });
  });

  it('stay separate when the id of one is the name of the other', async () => {
    const { client } = await openOrchestrator({});
    await client.request('POST', `${root}/skills`, { id: 'deploy', name: 'Ship it', content: 'one' });
    await client.request('POST', `${root}/skills`, { name: 'deploy', content: 'two' });
    const { items } = (await client.request('GET', `${root}/skills`)).body;
    expect(items.map(({ description }: { description: string }) => description).toSorted()).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('insights', () => {
  it('are promoted as a copy, once per scope, and only to a wider scope', async () => {
    const { client } = await openOrchestrator({});
    const insight = {
      content: 'Check the date',
      insight_type: 'warning',
      sharing_scope: 'swarm',
      swarm_id: 'w',
    };
    const { body } = await client.request('POST', `${root}/insights`, insight);
    const promote = (id: string, target_scope: string) =>
      client.request('POST', `${root}/insights/${id}/promote`, { target_scope });
    const first = await promote(body.id, 'project');
    expect(first.body).toMatchObject({
      sharing_scope: 'project',
      promoted_from_id: body.id,
      origin: 'user_promoted',
      insight_type: 'warning',
    });
    expect((await promote(body.id, 'project')).body.id).toBe(first.body.id);
    expect(await promote(first.body.id, 'project')).toMatchObject({ status: 422 });
    expect((await promote(first.body.id, 'org')).body).toMatchObject({ sharing_scope: 'org' });
    expect((await client.request('GET', `${root}/insights?insight_type=warning`)).body.items).toHaveLength(3);
  });

  it('state when they expire', async () => {
    const { client } = await openOrchestrator({});
    const { body } = await client.request('POST', `${root}/insights`, { content: 'c', ttl_days: 2 });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(2 * 86_400_000);
    const path = `${root}/insights/${body.id}`;
    expect((await client.request('PATCH', path, { ttl_days: null })).body.expires_at).toBeUndefined();
  });

  it('are refused with an unknown decay model', async () => {
    const { client } = await openOrchestrator({});
    const refused = await client.request('POST', `${root}/insights`, { content: 'c', decay_model: 'magic' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST' } });
  });
});

describe('the policy', () => {
  it('of a project without an organization has the project’s name, can forbid storing, and can be reset', async () => {
    const { client } = await openOrchestrator({});
    const path = '/organizations/local/memory-policy';
    expect((await client.request('GET', path)).body).toEqual({ enabled: true });
    const changed = await client.request('PATCH', path, {
      persistence_ceiling: 'persist_none',
      vector_retention_days: 3,
    });
    expect(changed.body).toMatchObject({
      enabled: true,
      persistence_ceiling: 'persist_none',
      vector_retention_days: 3,
    });
    expect(await client.request('POST', `${root}/skills`, { name: 'n' })).toMatchObject({
      status: 403,
      body: { code: 'MEMORY_DISABLED' },
    });
    const reset = await client.request('PATCH', path, { persistence_ceiling: null });
    expect(reset.body).toMatchObject({ vector_retention_days: 3, persistence_ceiling: null });
    expect((await client.request('POST', `${root}/skills`, { name: 'n' })).status).toBe(201);
    expect((await client.request('PATCH', path, { persistence_ceiling: 'all' })).status).toBe(422);
  });
});

it.each(['limit=0', 'limit=201', 'offset=-1', 'offset=1000001', `search=${'x'.repeat(1001)}`])(
  'refuses to list memory with %s',
  async (query) => {
    const { client } = await openOrchestrator({});
    for (const kind of ['skills', 'insights', 'resources']) {
      expect((await client.request('GET', `${root}/${kind}?${query}`)).status).toBe(422);
    }
  },
);

it.each([
  ["') OR 1=1 --", 0],
  ['"', 0],
  ['a AND', 0],
  ['NEAR(a b)', 0],
  ['text:x', 0],
  ['*', 0],
  ['^', 0],
  ["'; DROP TABLE memory_assets; --", 0],
  ['{tenant}:x', 0],
  ['🦓', 0],
  ['-zebra', 1],
  ['near:zebra', 1],
  ['"table" (drop', 1],
])('searches for %j as words, not as query syntax', async (search, count) => {
  const { client } = await openOrchestrator({});
  await client.request('POST', `${root}/insights`, { content: 'drop the table near a zebra' });
  const found = await client.request('GET', `${root}/insights?search=${encodeURIComponent(search)}`);
  expect(found.status).toBe(200);
  expect(found.body.items).toHaveLength(count);
  expect((await client.request('GET', `${root}/insights?search=zeb`)).body.items).toHaveLength(1);
});

it.each(['日'.repeat(200), 'a/b#?'.repeat(40), '%2e%2e', '...'])(
  'serves the memory of a project named %s at its encoded path',
  async (project) => {
    const { client } = await openOrchestrator({ project });
    const path = `/projects/${encodeURIComponent(project)}/memory/insights`;
    expect(await client.request('POST', path, { content: 'zebra' })).toMatchObject({ status: 201 });
    expect((await client.request('GET', path)).body.items).toMatchObject([{ project_id: project }]);
  },
);

it.each([
  ['skills', 'sharing_scope', 'agent, swarm, project, org'],
  ['skills', 'origin', 'user_defined, ai_generated'],
  ['skills', 'status', 'active, deprecated, quarantined'],
  ['insights', 'sharing_scope', 'agent, swarm, project, org'],
  ['insights', 'insight_type', 'lesson, warning, optimization, failure_pattern'],
  ['insights', 'origin', 'ai_generated, user_promoted'],
  ['resources', 'binding_type', 'message, agent, swarm, portal, unbound'],
  ['resources', 'status', 'registered, superseded, deleted, error'],
])(
  'a list of %s is filtered by a known %s, unfiltered when it is empty, and refused when it is unknown',
  async (kind, filter, values) => {
    const { client } = await openOrchestrator({});
    const list = (value: string) => client.request('GET', `${root}/${kind}?${filter}=${value}`);
    await client.request('POST', `${root}/${kind}`, { name: 'n', content: 'c', text_content: 't' });
    for (const value of values.split(', ')) expect((await list(value)).status).toBe(200);
    expect((await list('')).body.items).toHaveLength(1);
    const allowed = values.split(', ').map((value) => `"${value}"`);
    expect(await list('moon')).toMatchObject({
      status: 422,
      body: {
        code: 'INVALID_REQUEST',
        message: `The request is invalid at "${filter}": Invalid option: expected one of ${allowed.join('|')}.`,
      },
    });
  },
);

it('memory in the file of the runs survives a restart', async () => {
  const path = join(await newFolder(), 'runs.db');
  const first = await openOrchestrator({ store: sqliteRunStore({ path, synchronous: 'normal' }) });
  await first.client.request('POST', `${root}/resources`, { id: 'r', name: 'Book', text_content: 'zebra' });
  await first.client.request('PATCH', '/organizations/local/memory-policy', { vector_retention_days: 9 });
  await first.orchestrator.close();
  const { client } = await openOrchestrator({ store: sqliteRunStore({ path, synchronous: 'normal' }) });
  expect((await client.request('GET', `${root}/resources?search=zebra`)).body.items).toMatchObject([
    { id: 'r' },
  ]);
  expect((await client.request('GET', '/organizations/local/memory-policy')).body.vector_retention_days).toBe(
    9,
  );
});
