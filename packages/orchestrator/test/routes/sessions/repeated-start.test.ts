import { describe, expect, it } from 'vitest';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { WireClient } from '../../support/wire-client.js';

const state = { ...request('go', [toolSpec('b')]), private_data: { token: 'tok-canary-9f31' } };
const start = (client: WireClient, key: string, body: object = { state, thread_id: 't-1' }) =>
  client.request('POST', '/start-session', { client_id: 'c', ...body }, { 'idempotency-key': key });
const sessionsOf = async (client: WireClient) => (await client.request('GET', '/sessions')).body.items;

describe('a start repeated with its Idempotency-Key', () => {
  it.each([
    ['in memory', () => new MemoryRunStore()],
    ['in a file', () => sqliteRunStore({ path: ':memory:' })],
  ])('gets the first answer and opens no session, with runs stored %s', async (_, createStore) => {
    const planner = scriptedPlanner(() => [finish('ok')]);
    const { client } = await openOrchestrator({ planner, store: createStore() });
    const first = await start(client, 'k-1');
    expect(first).toMatchObject({ status: 200, body: { thread_id: 't-1' } });
    await client.follow(first.body, {});
    const again = await Promise.all([start(client, 'k-1'), start(client, 'k-1')]);
    expect(again.map(({ body }) => body)).toEqual([first.body, first.body]);
    expect(await sessionsOf(client)).toHaveLength(1);
    expect(planner.contexts).toHaveLength(1);
    expect((await start(client, 'k-2')).body.session_id).not.toBe(first.body.session_id);
  });

  it('is recognized even with redacted messages and a traceparent header', async () => {
    const { client } = await openOrchestrator({ planner: scriptedPlanner(() => [finish('ok')]) });
    const messages = [{ type: 'redacted', content: 'Write to ada@example.com' }];
    const body = { client_id: 'c', state: { ...state, messages } };
    const headers = { 'idempotency-key': 'k', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const first = await client.request('POST', '/start-session', body, headers);
    const again = await client.request('POST', '/start-session', body, headers);
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('opens one session when it is sent many times at once', async () => {
    const { client } = await openOrchestrator({ planner: scriptedPlanner(() => [finish('ok')]) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(client, 'k')));
    expect(new Set(answers.map(({ body }) => body.session_id)).size).toBe(1);
    expect(await sessionsOf(client)).toHaveLength(1);
  });

  it('counts once against the quota, and is answered while other starts are refused', async () => {
    const planner = scriptedPlanner(() => [call(['t-b']), finish('ok')]);
    const { client, orchestrator } = await openOrchestrator({ planner, limits: { startsPerMinute: 1 } });
    const first = await start(client, 'k');
    expect(await start(client, 'k')).toMatchObject({ status: 200, body: first.body });
    const closing = orchestrator.close({ drainTimeoutMs: 60_000 });
    expect(await start(client, 'k-2')).toMatchObject({ status: 503, body: { code: 'DRAINING' } });
    expect(await start(client, 'k')).toMatchObject({ status: 200, body: first.body });
    await client.follow(first.body, { b: () => 1 });
    await closing;
  });

  it('is refused when its body differs', async () => {
    const { client } = await openOrchestrator({ planner: scriptedPlanner(() => [finish('ok')]) });
    await start(client, 'k');
    const other = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await start(client, 'k', { state: request('stop'), thread_id: 't-1' })).toMatchObject(other);
    expect(await start(client, 'k', { state, thread_id: 't-2' })).toMatchObject(other);
    expect(await sessionsOf(client)).toHaveLength(1);
  });

  it('starts another session in another project', async () => {
    const keys = ['p', 'q'].map((project) => ({ key: `key-of-${project}`, project }));
    const { orchestrator } = await openOrchestrator({ keys, planner: scriptedPlanner(() => [finish('ok')]) });
    const ids = keys.map(async ({ key }) => {
      const { status, body } = await start(new WireClient(orchestrator.url, key), 'k');
      return [status, body.session_id];
    });
    const [[p, idOfP], [q, idOfQ]] = (await Promise.all(ids)) as [[number, string], [number, string]];
    expect([p, q]).toEqual([200, 200]);
    expect(idOfP).not.toBe(idOfQ);
  });

  it.each(['', 'x'.repeat(256), 'two words', 'caf\u00e9'])(
    'is refused with the invalid key %j',
    async (key) => {
      const { client } = await openOrchestrator({});
      expect(await start(client, key)).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST' } });
      expect(await sessionsOf(client)).toEqual([]);
    },
  );
});
