import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { environmentTwin } from '../environment-twin.js';
import { startServer } from '../http-server.js';
import { quickRuntime } from '../quick-runtime.js';

const skill = { id: 's-1', project_id: 'p 1', sharing_scope: 'project', name: 'Refund' };
const insight = {
  id: 'i-1',
  project_id: 'p 1',
  sharing_scope: 'agent',
  insight_type: 'lesson',
  content: 'Ask first',
};
const resource = { id: 'r-1', project_id: 'p 1', name: 'price list' };
const candidate = { ...resource, binding_type: 'unbound', registration_status: 'registered' };
const policy = { enabled: true };
const purged = { success: true, project_ids: ['p 1'], tables: ['insights'] };

type Api = Client['memory'];

/** Starts a server that gives every request the same answer, and a client; `requests` lists its requests. */
async function startMemory(answer: unknown, status = 200) {
  const requests: [string, unknown][] = [];
  const server = await startServer((request, response) => {
    void (async () => {
      const body = await text(request);
      requests.push([`${request.method} ${request.url}`, body === '' ? undefined : JSON.parse(body)]);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(answer === undefined ? '' : JSON.stringify(answer));
    })();
  });
  const client = new Client(
    { apiKey: 'key', baseUrl: server.url, projectId: 'p 1' },
    { runtime: quickRuntime(), environment: environmentTwin() },
  );
  return {
    memory: client.memory,
    requests,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('memory administration sends a request', () => {
  it.each<[string, (api: Api) => Promise<unknown>, unknown, string, unknown?]>([
    ['to list skills', async (api) => api.skills.list(), [skill], 'GET /projects/p%201/memory/skills'],
    [
      'to filter skills',
      async (api) =>
        api.skills.list({
          search: 'two words',
          sharingScope: 'org',
          origin: 'ai_generated',
          status: 'active',
          limit: 5,
          offset: 0,
        }),
      { items: [skill] },
      'GET /projects/p%201/memory/skills?search=two+words&sharing_scope=org&origin=ai_generated&status=active&limit=5&offset=0',
    ],
    [
      'to get a skill',
      async (api) => api.skills.get('a/b'),
      skill,
      'GET /projects/p%201/memory/skills/a%2Fb',
    ],
    [
      'to create a skill',
      async (api) =>
        api.skills.create({
          name: 'Refund',
          steps: [{ do: 'ask' }],
          sharingScope: 'project',
          agentId: 'a-1',
          confidence: 0.5,
        }),
      skill,
      'POST /projects/p%201/memory/skills',
      { name: 'Refund', steps: [{ do: 'ask' }], sharing_scope: 'project', agent_id: 'a-1', confidence: 0.5 },
    ],
    [
      'to update a skill',
      async (api) => api.skills.update('s-1', { status: 'deprecated', description: '' }),
      skill,
      'PATCH /projects/p%201/memory/skills/s-1',
      { status: 'deprecated', description: '' },
    ],
    [
      'to delete a skill',
      async (api) => api.skills.delete('s-1'),
      undefined,
      'DELETE /projects/p%201/memory/skills/s-1',
    ],
    [
      'to list insights',
      async (api) => api.insights.list({ insightType: 'warning', search: '' }),
      [insight],
      'GET /projects/p%201/memory/insights?insight_type=warning',
    ],
    [
      'to get an insight',
      async (api) => api.insights.get('i-1'),
      insight,
      'GET /projects/p%201/memory/insights/i-1',
    ],
    [
      'to create an insight',
      async (api) =>
        api.insights.create({ insightType: 'lesson', content: 'Ask first', halfLifeDays: 30, ttlDays: null }),
      insight,
      'POST /projects/p%201/memory/insights',
      { insight_type: 'lesson', content: 'Ask first', half_life_days: 30, ttl_days: null },
    ],
    [
      'to update an insight',
      async (api) => api.insights.update('i-1', { relevanceScore: 0 }),
      insight,
      'PATCH /projects/p%201/memory/insights/i-1',
      { relevance_score: 0 },
    ],
    [
      'to delete an insight',
      async (api) => api.insights.delete('i-1'),
      undefined,
      'DELETE /projects/p%201/memory/insights/i-1',
    ],
    [
      'to promote an insight',
      async (api) => api.insights.promote('i-1', { targetScope: 'org' }),
      insight,
      'POST /projects/p%201/memory/insights/i-1/promote',
      { target_scope: 'org' },
    ],
    [
      'to list resources',
      async (api) => api.resources.list({ tags: ['a', 'b c'], bindingType: 'agent', status: 'registered' }),
      { items: [resource] },
      'GET /projects/p%201/memory/resources?binding_type=agent&status=registered&tags=a&tags=b+c',
    ],
    [
      'to get a resource',
      async (api) => api.resources.get('r-1'),
      resource,
      'GET /projects/p%201/memory/resources/r-1',
    ],
    [
      'to create a resource',
      async (api) =>
        api.resources.create({ name: 'price list', text: 'tea 5', tags: ['t'], url: 'https://x.example' }),
      resource,
      'POST /projects/p%201/memory/resources',
      {
        name: 'price list',
        title: 'price list',
        content_base64: 'dGVhIDU=',
        mime_type: 'text/plain',
        source_url: 'https://x.example',
        tags: ['t'],
      },
    ],
    [
      'to update a resource',
      async (api) => api.resources.update('r-1', { description: 'old' }),
      resource,
      'PATCH /projects/p%201/memory/resources/r-1',
      { description: 'old' },
    ],
    [
      'to delete a resource',
      async (api) => api.resources.delete('r-1'),
      undefined,
      'DELETE /projects/p%201/memory/resources/r-1',
    ],
    [
      'to replace a resource',
      async (api) =>
        api.resources.replace('r-1', { name: 'n', bytes: new Uint8Array([1]), mimeType: 'image/png' }),
      resource,
      'POST /projects/p%201/memory/resources/r-1/replace',
      { name: 'n', title: 'n', content_base64: 'AQ==', mime_type: 'image/png' },
    ],
    [
      'to restore a resource',
      async (api) => api.resources.restore('r-1'),
      resource,
      'POST /projects/p%201/memory/resources/r-1/restore',
      {},
    ],
    [
      'to rebind a resource',
      async (api) => api.resources.rebind('r-1'),
      resource,
      'POST /projects/p%201/memory/resources/r-1/rebind',
      {},
    ],
    [
      'to bind a resource',
      async (api) => api.resources.bind('r-1', { bindingType: 'swarm', targetId: 'desk' }),
      resource,
      'POST /projects/p%201/memory/resources/r-1/bind',
      { binding_type: 'swarm', target_id: 'desk' },
    ],
    [
      'to unbind a resource',
      async (api) => api.resources.bind('r-1', { bindingType: 'unbound' }),
      resource,
      'POST /projects/p%201/memory/resources/r-1/bind',
      { binding_type: 'unbound' },
    ],
    [
      'to list unbound resources',
      async (api) => api.resources.listUnbound({ minAgeDays: 0 }),
      [candidate],
      'GET /projects/p%201/memory/resources/unbound/candidates?min_age_days=0',
    ],
    [
      'to get a policy',
      async (api) => api.policy('o 1').get(),
      policy,
      'GET /organizations/o%201/memory-policy',
    ],
    [
      'to update a policy, including the removal of a limit',
      async (api) =>
        api
          .policy('o-1')
          .update({ enabled: false, vectorRetentionDays: null, persistenceCeiling: 'vector_only' }),
      policy,
      'PATCH /organizations/o-1/memory-policy',
      { enabled: false, persistence_ceiling: 'vector_only', vector_retention_days: null },
    ],
    [
      'to purge memory',
      async (api) => api.policy('o-1').purge({ confirm: 'PURGE_MEMORY', sessionId: 'x' }),
      purged,
      'POST /organizations/o-1/memory-policy/purge',
      { confirm_token: 'PURGE_MEMORY', session_id: 'x' },
    ],
  ])('%s', async (_what, call, answer, request, body = undefined) => {
    await using setup = await startMemory(answer);
    const given = await call(setup.memory);
    expect(setup.requests).toEqual([[request, body]]);
    const records =
      typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : answer;
    if (answer === undefined) expect(given).toBeUndefined();
    else expect(given).toMatchObject(records as object);
  });
});

describe('memory administration', () => {
  it.each([
    ['bare', [skill, ...Array<unknown>(1000).fill(0)]],
    ['in items', { items: [skill, ...Array<unknown>(1000).fill(0)] }],
  ])('refuses a list at its first invalid item if it is %s', async (_form, answer) => {
    await using setup = await startMemory(answer);
    const error: unknown = await setup.memory.skills.list().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'HTTP_INVALID_RESPONSE' });
    expect(inspect(error).length).toBeLessThan(5_000);
  });

  it.each<[string, (api: Api) => Promise<unknown>]>([
    ['a skill without a name', async (api) => api.skills.create({} as never)],
    ['a skill with an unknown field', async (api) => api.skills.create({ name: 's', stepps: [] } as never)],
    ['an insight without a type', async (api) => api.insights.create({ content: 'x' } as never)],
    ['a resource without a name or an id', async (api) => api.resources.create({ text: 'x' })],
    [
      'a resource with two contents',
      async (api) => api.resources.create({ name: 'r', text: 'x', base64: 'eA==' }),
    ],
    ['a resource of invalid base64', async (api) => api.resources.create({ name: 'r', base64: '%%%' })],
    ['a purge without its confirmation', async (api) => api.policy('o').purge({ confirm: 'yes' as never })],
  ])('sends nothing for %s', async (_what, call) => {
    await using setup = await startMemory({});
    await expect(call(setup.memory)).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: expect.stringMatching(/^CONFIG_/),
    });
    expect(setup.requests).toEqual([]);
  });

  it('needs a project, except for policies', async () => {
    await using client = new Client(
      { apiKey: 'key', baseUrl: 'http://127.0.0.1:9' },
      { runtime: quickRuntime(), environment: environmentTwin() },
    );
    await expect(client.memory.skills.list()).rejects.toMatchObject({ code: 'CONFIG_MISSING_PROJECT' });
    await expect(client.memory.policy('o').get()).rejects.toHaveProperty('code', 'HTTP_CONNECTION_REFUSED');
  });

  it('passes a refusal on to the caller, and does not retry a write that may have taken effect', async () => {
    await using refused = await startMemory({ code: 'forbidden', message: 'not yours' }, 403);
    await expect(refused.memory.skills.list()).rejects.toMatchObject({ statusCode: 403, code: 'forbidden' });
    expect(refused.requests).toHaveLength(1);
    await using broken = await startMemory({ code: 'internal', message: 'x' }, 500);
    await expect(broken.memory.skills.create({ name: 's' })).rejects.toMatchObject({ statusCode: 500 });
    expect(broken.requests).toHaveLength(1);
    await expect(broken.memory.skills.get('s')).rejects.toMatchObject({ statusCode: 500 });
    expect(broken.requests.length).toBeGreaterThan(2);
  });

  it('refuses an invalid response', async () => {
    await using setup = await startMemory({ id: 5 });
    await expect(setup.memory.skills.get('s')).rejects.toMatchObject({ code: 'HTTP_INVALID_RESPONSE' });
  });

  it('can be aborted', async () => {
    await using setup = await startMemory(skill);
    await expect(
      setup.memory.skills.get('s', { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });
});
