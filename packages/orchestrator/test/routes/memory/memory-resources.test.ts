import { describe, expect, it } from 'vitest';
import { base64 } from '../../support/memory-bench.js';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import type { WireClient } from '../../support/wire-client.js';

const resources = '/projects/local/memory/resources';

describe('resources', () => {
  const store = (client: WireClient, body: object) => client.request('POST', resources, body);

  it('are reused for the same content, and superseded by other content under the same id', async () => {
    const { client } = await openOrchestrator({});
    const first = (await store(client, { resource_id: 'book', name: 'Book', text_content: 'one' })).body;
    expect(first).toMatchObject({ id: 'book', resource_thread_id: 'book', size_bytes: 3, chunk_count: 1 });
    expect((await store(client, { resource_id: 'book', name: 'Book', text_content: 'one' })).body.id).toBe(
      'book',
    );
    const second = (await store(client, { resource_id: 'book', name: 'Book', text_content: 'two' })).body;
    expect(second).toMatchObject({ resource_thread_id: 'book', replaces_resource_id: 'book' });
    expect(second.version_chain).toMatchObject([{ id: 'book' }, { id: second.id }]);
    const old = (await client.request('GET', `${resources}/book`)).body;
    expect(old).toMatchObject({ registration_status: 'superseded', superseded_by: second.id });
    const list = (await client.request('GET', `${resources}?status=registered`)).body.items;
    expect(list.map(({ id }: { id: string }) => id)).toEqual([second.id]);
  });

  it('are replaced, deleted and restored', async () => {
    const { client } = await openOrchestrator({});
    const { body } = await store(client, { name: 'Book', text_content: 'one', tags: ['x', 'y'] });
    const act = (id: string, action: string, given: object = {}) =>
      client.request('POST', `${resources}/${id}/${action}`, given);
    const replaced = (await act(body.id, 'replace', { content_base64: base64('two') })).body;
    expect(replaced).toMatchObject({ replaces_resource_id: body.id, tags: ['x', 'y'], format: 'text/plain' });
    expect((await act(replaced.id, 'replace', { content_base64: base64('two') })).body.id).toBe(replaced.id);
    expect((await act(body.id, 'restore')).body.registration_status).toBe('registered');
    expect((await client.request('GET', `${resources}/${replaced.id}`)).body).toMatchObject({
      registration_status: 'superseded',
      superseded_by: body.id,
    });
    expect((await client.request('DELETE', `${resources}/${body.id}`)).status).toBe(204);
    expect((await client.request('GET', `${resources}/${body.id}`)).body.registration_status).toBe('deleted');
    expect((await act(body.id, 'restore')).body.registration_status).toBe('registered');
  });

  it('are bound, unbound, listed as unbound candidates, and bound again', async () => {
    const { client } = await openOrchestrator({});
    const { body } = await store(client, { name: 'Book', text_content: 'one' });
    const act = (action: string, given: object = {}) =>
      client.request('POST', `${resources}/${body.id}/${action}`, given);
    expect(await act('bind', { binding_type: 'agent' })).toMatchObject({ status: 422 });
    expect((await act('bind', { binding_type: 'agent', target_id: 'a' })).body).toMatchObject({
      bound_agent_id: 'a',
    });
    expect(await act('rebind')).toMatchObject({ status: 409 });
    expect((await act('bind', { binding_type: 'unbound' })).body.bound_agent_id).toBeUndefined();
    const candidates = async (query = '') =>
      (await client.request('GET', `${resources}/unbound/candidates${query}`)).body.items;
    expect(await candidates()).toMatchObject([{ id: body.id, binding_type: 'unbound', query_count: 0 }]);
    expect(await candidates('?min_age_days=1')).toEqual([]);
    expect((await act('rebind')).body).toMatchObject({ binding_type: 'agent', bound_agent_id: 'a' });
    expect(await candidates()).toEqual([]);
  });

  it('are found by all given tags, and only by their new name after a rename', async () => {
    const { client } = await openOrchestrator({});
    const { body } = await store(client, { name: 'Book', text_content: 'one', tags: ['x', 'y'] });
    const list = async (query: string) =>
      (await client.request('GET', `${resources}?${query}`)).body.items.length;
    expect(await list('tags=x&tags=y')).toBe(1);
    expect(await list('tags=x&tags=z')).toBe(0);
    await client.request('PATCH', `${resources}/${body.id}`, { name: 'Atlas' });
    expect([await list('search=atlas'), await list('search=book')]).toEqual([1, 0]);
  });

  it.each([
    ['no content', { name: 'n' }, 422, 'INVALID_REQUEST'],
    ['invalid base64', { name: 'n', content_base64: '<>' }, 422, 'INVALID_REQUEST'],
    [
      'more than 50 MiB',
      { name: 'n', content_base64: 'A'.repeat(Math.ceil((50 * 1024 * 1024 + 3) / 3) * 4) },
      413,
      'RESOURCE_TOO_LARGE',
    ],
  ])('are refused with %s', async (_, body, status, code) => {
    const { client } = await openOrchestrator({});
    expect(await store(client, body)).toMatchObject({ status, body: { code } });
  });

  it('keep a session that brings one that is too large from starting', async () => {
    const { client } = await openOrchestrator({});
    const content_base64 = 'A'.repeat(Math.ceil((50 * 1024 * 1024 + 3) / 3) * 4);
    const start = (state: object) =>
      client.request('POST', '/start-session', { state: { messages: [], tools: [], ...state } });
    const file = { name: 'a.bin', content_base64 };
    const refusal = { status: 413, body: { code: 'RESOURCE_TOO_LARGE', details: { name: 'a.bin' } } };
    const message = { type: 'human', content: 'x', additional_kwargs: { attachments: [file] } };
    expect(await start({ messages: [message] })).toMatchObject(refusal);
    expect(await start({ memory_assets_config: { bound_resources: [file] } })).toMatchObject(refusal);
    expect((await client.request('GET', '/sessions')).body.items).toEqual([]);
  });

  it('are limited in bytes and number for each project', async () => {
    const { client } = await openOrchestrator({
      limits: { memoryBytesPerProject: 5, memoryRecordsPerProject: 2 },
    });
    expect((await store(client, { name: 'a', text_content: 'four' })).status).toBe(201);
    expect(await store(client, { name: 'b', text_content: 'too' })).toMatchObject({
      status: 409,
      body: { code: 'MEMORY_FULL', details: { quota: 'memory_bytes' } },
    });
    expect((await store(client, { name: 'c', text_content: 'four', sharing_scope: 'org' })).status).toBe(201);
    expect(await store(client, { name: 'd', source_url: 'https://x.test' })).toMatchObject({
      status: 409,
      body: { details: { quota: 'memory_records' } },
    });
  });
});
