import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { keyedRoutes } from '../support/keyed-routes.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { WireClient } from '../support/wire-client.js';

const planner = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);

describe('the server', () => {
  it.each([
    ['GET', '/nope'],
    ['POST', '/sessions'],
    ['PUT', '/start-session'],
  ])('answers %s %s with ROUTE_NOT_FOUND', async (method, path) => {
    const { client } = await openOrchestrator({ planner: planner() });
    expect(await client.request(method, `${path}?key=canary`)).toMatchObject({
      status: 404,
      body: { code: 'ROUTE_NOT_FOUND', message: `There is no route ${method} ${path}.` },
    });
  });

  it.each([
    ['evil.example', '/metrics', 403],
    ['127.0.0.1.evil.example:80', '/metrics', 403],
    ['evil.example', '/nope', 403],
    ['localhost', '/metrics', 200],
    ['LOCALHOST:1234', '/metrics', 200],
    ['[::1]:80', '/metrics', 200],
    ['plan.internal', '/metrics', 200],
    ['plan.example', '/metrics', 200],
    // A probe uses the address of the pod.
    ['10.1.2.3:7420', '/health', 200],
    ['10.1.2.3:7420', '/health/ready', 200],
  ])('answers for the host "%s" at %s with %i', async (host, path, status) => {
    const { orchestrator } = await openOrchestrator({
      planner: planner(),
      allowedHosts: ['Plan.Internal'],
      publicUrl: 'https://plan.example/agents',
    });
    const answered = await new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${orchestrator.apiKey}` };
      const sent = httpRequest(orchestrator.url + path, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(answered).toBe(status);
  });

  it('is not ready and refuses new sessions while it drains', async () => {
    const { client, orchestrator } = await openOrchestrator({ planner: planner() });
    const session = await client.start(go);
    const closing = orchestrator.close({ drainTimeoutMs: 60_000 });
    expect(await client.request('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'draining' },
    });
    const refused = await client.request('POST', '/start-session', { state: go });
    expect(refused).toMatchObject({ status: 503, body: { code: 'DRAINING' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    const { final } = await client.follow(session, { b: () => 1 });
    expect(final).toMatchObject({ status: 'completed' });
    await closing;
  });

  it('accepts the sessions of an open run’s members while it drains, from its own project only', async () => {
    const { client, orchestrator } = await openOrchestrator({ planner: planner() });
    const other = await orchestrator.keys.create({ project: 'other' });
    const parent = await client.start(go);
    const closing = orchestrator.close({ drainTimeoutMs: 60_000 });
    const member = { ...go, swarm_config: { parent_session_id: parent.session_id } };
    const stranger = new WireClient(client.url, other.key);
    const start = (by: WireClient, state: object) => by.request('POST', '/start-session', { state });
    expect(await start(stranger, member)).toMatchObject({ status: 503, body: { code: 'DRAINING' } });
    const { final: said } = await client.run(member, { b: () => 1 });
    expect(said).toMatchObject({ status: 'completed' });
    const { final } = await client.follow(parent, { b: () => 1 });
    expect(final).toMatchObject({ status: 'completed' });
    await closing;
  });

  it('rejects unknown and invalid options', async () => {
    await expect(openOrchestrator(Object.assign({ planner: planner() }, { toolTimeout: 3 }))).rejects.toThrow(
      /toolTimeout/,
    );
    await expect(openOrchestrator({ planner: planner(), toolTimeoutMs: -1 })).rejects.toThrow(
      /toolTimeoutMs/,
    );
    await expect(openOrchestrator({ planner: planner(), keyCheckIntervalMs: 60_000 })).rejects.toThrow(
      RangeError,
    );
  });
});

describe('an unusual request', () => {
  it.each([
    ['a malformed path', '/sessions/%zz'],
    ['an id that is too long', `/sessions/${'a'.repeat(300)}`],
  ])('with %s gets 404 with a valid and an invalid key, without its path being repeated', async (_, path) => {
    const { client } = await openOrchestrator({ planner: planner() });
    for (const by of [client, new WireClient(client.url, 'svc_wrong')]) {
      const { status, body } = await by.request('GET', path);
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'ROUTE_NOT_FOUND', message: expect.not.stringContaining('/sessions') },
      });
    }
  });

  it('whose key is revoked while its body arrives slowly gets 401 and starts nothing', async () => {
    const [keyCheckIntervalMs, identified] = [50, Promise.withResolvers<void>()];
    class WatchedStore extends MemoryRunStore {
      override readDocument(...given: Parameters<MemoryRunStore['readDocument']>) {
        identified.resolve();
        return super.readDocument(...given);
      }
    }
    const options = { planner: planner(), store: new WatchedStore(), keyCheckIntervalMs };
    const { client, orchestrator } = await openOrchestrator(options);
    const { id, key } = await orchestrator.keys.create({ project: 'local' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = httpRequest(`${orchestrator.url}/start-session`, { method: 'POST', headers });
    const answered = once(sent, 'response');
    const body = JSON.stringify({ client_id: 'c', state: go });
    sent.write(body.slice(0, 10));
    await identified.promise;
    await orchestrator.keys.revoke(id);
    await setTimeout(2 * keyCheckIntervalMs);
    sent.end(body.slice(10));
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect((await client.request('GET', '/sessions')).body.items).toEqual([]);
  });

  it('with a text/plain body gets 415', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const headers = { 'content-type': 'text/plain' };
    const refused = await client.request('POST', '/start-session', JSON.stringify({ state: go }), headers);
    expect(refused).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it('with a compressed body gets 415 and the accepted coding', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const post = (coding: string, type = 'application/json') =>
      client.request('POST', '/start-session', JSON.stringify({ state: go }), {
        'content-type': type,
        'content-encoding': coding,
      });
    for (const coding of ['gzip', 'br', 'identity, gzip']) {
      const refused = await post(coding);
      const message = expect.stringContaining('Content-Encoding');
      expect(refused).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE', message } });
      expect(refused.headers.get('accept-encoding')).toBe('identity');
    }
    expect((await post('Identity')).status).toBe(200);
    const encoded = { 'content-encoding': 'gzip' };
    expect((await client.request('GET', '/sessions', undefined, encoded)).status).toBe(200);
    expect((await client.request('POST', '/nope', '{}', encoded)).status).toBe(404);
    expect((await client.request('DELETE', '/sessions/none', undefined, encoded)).status).toBe(404);
  });

  it.each(
    keyedRoutes({ session: 'sess_none', project: 'local' })
      .filter(({ method }) => method !== 'GET')
      .map(({ name, method, path }) => [name, { method, path }] as const),
  )('to %s may declare JSON and send no body', async (_, { method, path }) => {
    const { client } = await openOrchestrator({ planner: planner() });
    const plain = await client.request(method, path);
    const typed = await client.request(method, path, undefined, { 'content-type': 'application/json' });
    expect([typed.status, typed.body]).toEqual([plain.status, plain.body]);
    const broken = await client.request(method, path, ' ');
    expect(broken).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
  });

  it('may cancel with a content type and no body', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const { session_id } = await client.start(go);
    const path = `/sessions/${session_id}`;
    const cancelled = await client.request('DELETE', path, undefined, { 'content-type': 'application/json' });
    expect(cancelled).toMatchObject({ status: 202, body: { accepted: true } });
  });

  it('may contain keys such as constructor as data; only __proto__ is dropped', async () => {
    const { client } = await openOrchestrator({
      planner: scriptedPlanner([
        call(['t-b']),
        ({ steps }) => ({ type: 'finish', text: JSON.stringify(steps) }),
      ]),
    });
    const { events_url, resume_url } = await client.start(go);
    const result = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"kept":2}}}');
    let said = '';
    for await (const { name, payload } of client.events(events_url)) {
      said = JSON.stringify(payload);
      if (name !== 'tool_event') continue;
      const { body } = await client.result(resume_url, payload['id'], result);
      expect(body).toEqual({ accepted: true });
    }
    expect(said).toContain('prototype');
    expect(said).not.toContain('polluted');
  });

  it('by HEAD gets the headers of a stream and opens none', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const session = await client.start(go);
    const { status, headers } = await client.request('HEAD', session.events_url);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const { body } = await client.request('GET', '/metrics');
    expect(body).toMatch(/^svc_streams_open 0$/m);
  });
});
