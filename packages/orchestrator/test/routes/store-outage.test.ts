import { expect, it } from 'vitest';
import type { RunStore } from '@svc/contracts/orchestrator';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { WireClient } from '../support/wire-client.js';

const state = request('go', [toolSpec('b')]);
const headers = { 'idempotency-key': 'k' };
const refused = { status: 503, body: { code: 'STORE_UNAVAILABLE', message: expect.any(String) } };

/** A store whose methods can be made to fail, before or after doing their work. */
function storeWithOutages() {
  const outage = { of: new Set<string>(), isAnswerLost: false };
  const store: RunStore = new Proxy(new MemoryRunStore(), {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        if (!outage.of.has(String(name))) return Reflect.apply(member, target, given);
        const fail = () => Promise.reject(new Error('connect ECONNREFUSED of tok-4711'));
        return outage.isAnswerLost
          ? Promise.resolve(Reflect.apply(member, target, given)).then(fail)
          : fail();
      };
    },
  });
  return { store, outage };
}

const everything = [
  'createRun',
  'readRun',
  'listRuns',
  'readJournal',
  'append',
  'increment',
  'readDocument',
  'listDocuments',
  'putDocument',
];

async function openWithOutages() {
  const { store, outage } = storeWithOutages();
  const lines: object[] = [];
  const logger = { info() {}, warn() {}, error: (fields: object) => void lines.push(fields) };
  const planner = scriptedPlanner(() => [call(['t-b']), finish('ok')]);
  return { ...(await openOrchestrator({ planner, store, logger })), outage, lines };
}

it.each(['increment', 'createRun', 'readRun', 'listDocuments'])(
  'answers a start with 503 when the store fails at %s, and accepts the retry',
  async (method) => {
    const { client, outage, lines } = await openWithOutages();
    outage.of = new Set([method]);
    const body = { client_id: 'c', state, thread_id: 't' };
    const answer = await client.request('POST', '/start-session', body, headers);
    expect(answer).toMatchObject(refused);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(JSON.stringify([answer.body, lines])).not.toContain('4711');
    expect(lines).toContainEqual(
      expect.objectContaining({ route: '/start-session', error: expect.objectContaining({ name: 'Error' }) }),
    );
    outage.of = new Set();
    const again = await client.request('POST', '/start-session', body, headers);
    const { final } = await client.follow(again.body, { b: () => 1 });
    expect(final).toMatchObject({ status: 'completed' });
  },
);

it('opens one session when a start is retried because the store’s answer was lost', async () => {
  const { client, outage } = await openWithOutages();
  outage.of = new Set(['createRun']);
  outage.isAnswerLost = true;
  const start = () => client.request('POST', '/start-session', { client_id: 'c', state }, headers);
  expect(await start()).toMatchObject(refused);
  const again = await start();
  expect(again.status).toBe(200);
  const list = await client.request('GET', '/sessions');
  expect(list.body.items).toMatchObject([{ session_id: again.body.session_id }]);
});

it('answers every other request but health with 503, even when only its key must be looked up', async () => {
  const { client, outage, orchestrator } = await openWithOutages();
  const { key } = await orchestrator.keys.create({ project: 'local' });
  const { session_id: id } = await client.start(state);
  const requests = [
    ['GET', '/sessions'],
    ['GET', `/sessions/${id}`],
    ['GET', `/sessions/${id}/events`],
    ['DELETE', `/sessions/${id}`],
    ['POST', `/sessions/${id}/resume`, { value: { tool_event_id: 'x', result: 1 } }],
    ['POST', `/api/v1/checkpoints/${id}.x/resume`, { interrupt_data: { a: 'b' } }],
  ] as const;
  outage.of = new Set(everything);
  for (const [method, path, body] of requests)
    expect([path, await client.request(method, path, body)]).toMatchObject([path, refused]);
  const stored = new WireClient(client.url, key);
  expect(await stored.request('GET', '/openapi.json')).toMatchObject(refused);
  expect(await client.request('GET', '/health')).toMatchObject({ status: 200 });
  outage.of = new Set();
});
