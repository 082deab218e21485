import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { KeyRing } from '../../src/keys/key-ring.js';
import { randomText } from '../../src/random-text.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { keyedRoutes } from '../support/keyed-routes.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { WireClient, type WireEvent } from '../support/wire-client.js';

const planner = () => scriptedPlanner([call(['t-b']), finish('ok')]);

const bounded = (ids: { session: string; project: string }) =>
  keyedRoutes(ids).filter(({ isBounded }) => isBounded);

async function twoProjects() {
  const { orchestrator } = await openOrchestrator({ planner: planner() });
  const clientOf = async (project: string) =>
    new WireClient(orchestrator.url, (await orchestrator.keys.create({ project })).key);
  const [mine, theirs] = [await clientOf('mine'), await clientOf('theirs')];
  const { session_id } = await mine.start(request('go', [toolSpec('b')]));
  return { orchestrator, mine, theirs, session_id };
}

describe('another project’s key', () => {
  it('is refused by every route that names something of the project', async () => {
    const { theirs, session_id } = await twoProjects();
    const routes = bounded({ session: session_id, project: 'mine' });
    expect(routes.length).toBeGreaterThan(25);
    for (const { name, method, path, body } of routes) {
      // A request that is let in by mistake gets a JSON answer that ends, not a stream.
      const refused = await theirs.request(method, path, body, { accept: 'application/json' });
      const code = expect.stringMatching(/^(PROJECT|ORGANIZATION)_FORBIDDEN$/);
      expect({ name, status: refused.status, code: refused.body.code }).toEqual({ name, status: 403, code });
    }
  });

  it('lists none of the project’s sessions', async () => {
    const { mine, theirs, session_id } = await twoProjects();
    expect((await theirs.request('GET', '/sessions')).body.items).toEqual([]);
    const { body } = await mine.request('GET', '/sessions');
    expect(body.items).toMatchObject([{ session_id, project_id: 'mine' }]);
  });

  it('reads none of the project’s metrics', async () => {
    const { mine, theirs, session_id } = await twoProjects();
    const stream = new AbortController();
    onTestFinished(() => stream.abort());
    const headers = { authorization: `Bearer ${mine.key}` };
    const { signal } = stream;
    await fetch(`${mine.url}/sessions/${session_id}/events`, { headers, signal });
    const linesOf = async (client: WireClient) =>
      String((await client.request('GET', '/metrics')).body).split('\n');
    const own = await linesOf(mine);
    for (const line of [
      'svc_sessions_active 1',
      'svc_streams_open 1',
      'svc_sessions_started_total{origin="start"} 1',
    ])
      expect(own).toContain(line);
    const lines = await linesOf(theirs);
    const isTheirs = (line: string) => line.endsWith(' 0') || line.includes('route="/metrics"');
    expect(lines.filter((line) => line.startsWith('svc_') && !isTheirs(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('process_cpu_seconds_total'))).toHaveLength(1);
    // These count the connections of all projects.
    expect(lines.filter((line) => /^(process_open|nodejs_active)/.test(line))).toEqual([]);
  });

  it('changes nothing: the run still completes', async () => {
    const { mine, theirs, session_id } = await twoProjects();
    for (const { method, path, body } of bounded({ session: session_id, project: 'mine' }))
      await theirs.request(method, path, body, { accept: 'application/json' });
    const base = `${mine.url}/sessions/${session_id}`;
    const { final } = await mine.follow(
      { events_url: `${base}/events`, resume_url: `${base}/resume` },
      { b: () => 1 },
    );
    expect(final).toMatchObject({ status: 'completed' });
  });
});

describe('a request without a valid key', () => {
  const unknown = { name: 'an unknown route', method: 'GET', path: '/no/such/route' };

  it('is refused by every route except health', async () => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const wrongKey = new WireClient(orchestrator.url, 'svc_wrong');
    for (const { name, method, path } of [...keyedRoutes({ session: 'x', project: 'p' }), unknown]) {
      const none = await fetch(orchestrator.url + path, { method });
      expect({ name, status: none.status }).toEqual({ name, status: 401 });
      expect(await none.json()).toMatchObject({ code: 'KEY_MISSING' });
      expect(none.headers.get('www-authenticate')).toMatch(/^(Bearer|Basic realm)/);
      const wrong = await wrongKey.request(method, path);
      expect({ name, ...wrong }).toMatchObject({ name, status: 401, body: { code: 'KEY_INVALID' } });
    }
  });

  it.each(['/health', '/health/ready'])('is answered by %s', async (path) => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    expect((await fetch(orchestrator.url + path)).status).toBe(200);
  });
});

describe('a key', () => {
  it('may be sent as X-API-Key, as original clients do', async () => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const headers = { 'X-API-Key': orchestrator.apiKey };
    expect((await fetch(`${orchestrator.url}/sessions`, { headers })).status).toBe(200);
  });

  it('may be sent as a browser’s Basic password for reading, and for nothing else', async () => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const headers = { authorization: `Basic ${Buffer.from(`me:${orchestrator.apiKey}`).toString('base64')}` };
    expect((await fetch(`${orchestrator.url}/sessions`, { headers })).status).toBe(200);
    const posted = await fetch(`${orchestrator.url}/sessions/x`, { method: 'DELETE', headers });
    expect(posted.status).toBe(401);
  });

  it('may contain colons when it is sent as a Basic password', async () => {
    const key = 'one:two:three';
    const { orchestrator } = await openOrchestrator({ planner: planner(), keys: [{ key, project: 'p' }] });
    const headers = { authorization: `Basic ${Buffer.from(`me:${key}`).toString('base64')}` };
    expect((await fetch(`${orchestrator.url}/sessions`, { headers })).status).toBe(200);
  });

  it.each([
    ['Bearer without a key', { authorization: 'Bearer' }],
    ['an empty Basic password', { authorization: `Basic ${Buffer.from('me:').toString('base64')}` }],
    ['a Basic user name alone', { authorization: `Basic ${Buffer.from('me').toString('base64')}` }],
    ['an empty X-API-Key', { 'x-api-key': '' }],
  ])('counts as missing, not as invalid, with %s', async (_, headers) => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const refused = await fetch(`${orchestrator.url}/sessions`, { headers });
    expect(await refused.json()).toMatchObject({ code: 'KEY_MISSING' });
  });

  /** Reads a session's events, and calls back at the call of its tool; returns the last event. */
  async function lastEvent(client: WireClient, url: string, atCall: () => Promise<unknown>) {
    let last: WireEvent | undefined;
    for await (const event of client.events(url)) {
      last = event;
      if (event.name === 'tool_event') await atCall();
    }
    return last;
  }

  const revokedFinal = {
    name: 'final',
    payload: { status: 'failed', error_info: { code: 'KEY_REVOKED' } },
  };

  it('ends its runs with a final, which their readers receive, when it is revoked', async () => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const { id, key } = await orchestrator.keys.create({ project: 'p' });
    const client = new WireClient(orchestrator.url, key);
    const { session_id, events_url } = await client.start(request('go', [toolSpec('b')]));
    const last = await lastEvent(client, events_url, () => orchestrator.keys.revoke(id));
    expect(last).toMatchObject(revokedFinal);
    expect((await client.request('GET', `/sessions/${session_id}`)).status).toBe(401);
  });

  it('ends its streams of the runs of other keys with an error, when it is revoked', async () => {
    const { orchestrator } = await openOrchestrator({ planner: planner() });
    const { id, key } = await orchestrator.keys.create({ project: 'p' });
    const other = new WireClient(orchestrator.url, (await orchestrator.keys.create({ project: 'p' })).key);
    const session = await other.start(request('go', [toolSpec('b')]));
    const client = new WireClient(orchestrator.url, key);
    const last = await lastEvent(client, session.events_url, () => orchestrator.keys.revoke(id));
    expect(last).toMatchObject({ name: 'error', payload: { details: { code: 'KEY_REVOKED' } } });
    const { final } = await other.follow(session, { b: () => 1 });
    expect(final).toMatchObject({ status: 'completed' });
  });

  it('ends its streams with an error if its run does not end', async () => {
    const store = new MemoryRunStore();
    const { orchestrator } = await openOrchestrator({ planner: planner(), store });
    const { id, key } = await orchestrator.keys.create({ project: 'p' });
    const client = new WireClient(orchestrator.url, key);
    const { events_url } = await client.start(request('go', [toolSpec('b')]));
    const last = await lastEvent(client, events_url, () => {
      store.append = () => Promise.reject(new Error('The store is away.'));
      return orchestrator.keys.revoke(id);
    });
    // The orchestrator ends its runs when it closes.
    Reflect.deleteProperty(store, 'append');
    expect(last).toMatchObject({ name: 'error', payload: { details: { code: 'KEY_REVOKED' } } });
  });

  it('ends its runs at the next check when another process revokes it', async () => {
    const store = new MemoryRunStore();
    const { orchestrator } = await openOrchestrator({ planner: planner(), keyCheckIntervalMs: 20, store });
    const beside = new KeyRing({ store, clock: systemClock, randomText, fixed: [] });
    const { key, id } = await orchestrator.keys.create({ project: 'p' });
    const client = new WireClient(orchestrator.url, key);
    const { events_url } = await client.start(request('go', [toolSpec('b')]));
    // Another ring on the same store, like that of the command line: this process is not notified.
    expect(await lastEvent(client, events_url, () => beside.revoke(id))).toMatchObject(revokedFinal);
  });
});
