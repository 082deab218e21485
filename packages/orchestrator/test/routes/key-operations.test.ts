import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { KEY_OPERATIONS, type KeyOperation } from '../../src/keys/key-operation.js';
import { KeyRing } from '../../src/keys/key-ring.js';
import { randomText } from '../../src/random-text.js';
import { authenticate } from '../../src/routes/authenticate.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { keyedRoutes } from '../support/keyed-routes.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { WireClient } from '../support/wire-client.js';

const planner = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);
// A request that is let in gets a JSON answer that ends, not a stream.
const accept = { accept: 'application/json' };

/** An orchestrator with a session and a skill, and clients whose keys are limited. */
async function limited() {
  const { orchestrator, client } = await openOrchestrator({ planner: planner(), project: 'shop' });
  const clientWith = async (...operations: KeyOperation[]) =>
    new WireClient(orchestrator.url, (await orchestrator.keys.create({ project: 'shop', operations })).key);
  const clientWithout = (lacking: readonly KeyOperation[]) =>
    clientWith(...KEY_OPERATIONS.filter((operation) => !lacking.includes(operation)));
  const session = await client.start(go);
  const skill = { id: 'one', title: 'One', summary: 'x' };
  const { status } = await client.request('POST', '/projects/shop/memory/skills', skill);
  expect(status).toBe(201);
  const routes = keyedRoutes({ session: session.session_id, project: 'shop' });
  return { orchestrator, client, clientWith, clientWithout, session, routes };
}

it('each operation allows exactly its routes', () => {
  const routesOf = (operation: KeyOperation) =>
    keyedRoutes({ session: 's', project: 'p' })
      .filter(({ access }) => access.includes(operation))
      .map(({ name }) => name);
  const one = ['GET /sessions/{session_id}/events', 'GET /sessions/{session_id}'];
  expect(routesOf('run').toSorted()).toEqual(
    [
      ...one,
      'POST /start-session',
      'POST /sessions/{session_id}/resume',
      'POST /api/v1/checkpoints/{checkpoint_id}/resume',
      'DELETE /sessions/{session_id}',
      'POST /preview-redaction',
    ].toSorted(),
  );
  expect(routesOf('read').toSorted()).toEqual(
    [...one, 'GET /sessions', 'GET /openapi.json', 'GET /'].toSorted(),
  );
  expect(routesOf('metrics')).toEqual(['GET /metrics']);
  const policy = '/organizations/{organization_id}/memory-policy';
  const changes = [`PATCH ${policy}`, `POST ${policy}/purge`];
  expect(routesOf('administration')).toEqual([`GET ${policy}`, ...changes]);
  const memory = keyedRoutes({ session: 's', project: 'p' }).filter(({ path }) => path.includes('/memory'));
  const names = memory.map(({ name }) => name).filter((name) => !changes.includes(name));
  expect(routesOf('memory')).toEqual(names);
});

describe('a key without the required operation', () => {
  it('is refused by every route, with the operations that allow it', async () => {
    const { routes, clientWithout } = await limited();
    for (const { name, method, path, body, access } of routes) {
      const client = await clientWithout(access);
      const refused = await client.request(method, path, body, accept);
      const expected = { code: 'OPERATION_FORBIDDEN', details: { operations: access } };
      expect({ name, status: refused.status, body: refused.body }).toMatchObject({
        name,
        status: 403,
        body: expected,
      });
      for (const operation of access) expect(refused.body.message).toContain(`"${operation}"`);
      expect(JSON.stringify(refused.body)).not.toContain(client.key);
      if (method !== 'GET') continue;
      const head = await client.request('HEAD', path, undefined, accept);
      expect({ name, status: head.status }).toEqual({ name, status: 403 });
    }
  });

  it('changes nothing: the run still completes, and memory is kept', async () => {
    const { routes, client, clientWithout, session } = await limited();
    for (const { method, path, body, access } of routes)
      await (await clientWithout(access)).request(method, path, body, accept);
    // A valid request, which would start a session if it were let in.
    const started = await (await clientWithout(['run'])).request('POST', '/start-session', { state: go });
    expect(started.status).toBe(403);
    expect((await client.request('GET', '/sessions')).body.items).toHaveLength(1);
    expect((await client.request('GET', '/projects/shop/memory/skills/one')).status).toBe(200);
    expect((await client.follow(session, { b: () => 1 })).final).toMatchObject({ status: 'completed' });
  });

  it('is counted with 403 in the metrics of its project', async () => {
    const { client, clientWithout } = await limited();
    await (await clientWithout(['read'])).request('GET', '/sessions');
    await expect
      .poll(async () => String((await client.request('GET', '/metrics')).body))
      .toMatch(/\{method="GET",route="\/sessions",status="403".*\} 1$/m);
  });
});

describe('a key with only the required operation', () => {
  it('is admitted by every route', async () => {
    const { routes, clientWith } = await limited();
    for (const { name, method, path, body, access } of routes)
      for (const operation of access) {
        const { status } = await (await clientWith(operation)).request(method, path, body, accept);
        expect([401, 403, 500], `${name} with ${operation}`).not.toContain(status);
      }
  });

  it('can start a run, follow it, post results and see its end', async () => {
    const { clientWith } = await limited();
    const { final } = await (await clientWith('run')).run(go, { b: () => 1 });
    expect(final).toMatchObject({ status: 'completed' });
  });

  it('gets 404 for an unknown route', async () => {
    const { clientWith } = await limited();
    const { status, body } = await (await clientWith('metrics')).request('GET', '/no/such/route');
    expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

it('changing the memory policy and purging need "administration", which allows nothing else in memory', async () => {
  const { client, clientWith } = await limited();
  const policy = '/organizations/shop/memory-policy';
  const attempt = async (tried: WireClient) => {
    const changed = await tried.request('PATCH', policy, { enabled: false });
    const purged = await tried.request('POST', `${policy}/purge`, { confirm_token: 'PURGE_MEMORY' });
    return [changed.status, purged.status];
  };
  const statusOf = async (path: string) => (await client.request('GET', path)).status;
  expect(await attempt(await clientWith('run', 'read', 'memory', 'metrics'))).toEqual([403, 403]);
  expect((await client.request('GET', policy)).body).toMatchObject({ enabled: true });
  expect(await statusOf('/projects/shop/memory/skills/one')).toBe(200);
  const administrator = await clientWith('administration');
  expect(await attempt(administrator)).toEqual([200, 200]);
  expect((await client.request('GET', policy)).body).toMatchObject({ enabled: false });
  expect(await statusOf('/projects/shop/memory/skills/one')).toBe(404);
  expect((await administrator.request('GET', '/projects/shop/memory/skills')).status).toBe(403);
});

it('a fixed key can be limited to operations', async () => {
  const keys = [{ key: 'scrape-key', project: 'shop', operations: ['metrics'] as const }];
  const { orchestrator } = await openOrchestrator({ keys });
  const client = new WireClient(orchestrator.url, 'scrape-key');
  const statusOf = async (path: string) => (await client.request('GET', path)).status;
  expect([await statusOf('/metrics'), await statusOf('/sessions')]).toEqual([200, 403]);
});

it('a route without config.access cannot be added', () => {
  const app = Fastify();
  const keys = new KeyRing({ store: new MemoryRunStore(), clock: systemClock, randomText, fixed: [] });
  authenticate(app, { keys, keyCheckIntervalMs: 5000, clock: systemClock });
  expect(() => app.get('/secrets', async () => 'all of them')).toThrow('/secrets needs config.access');
});
