import { describe, expect, it } from 'vitest';
import { sqliteRunStore } from '../../src/store/sqlite/sqlite-run-store.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';

const planner = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);

describe('POST /start-session', () => {
  it('returns absolute URLs under the requested host, and echoes the thread id', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const { body } = await client.request('POST', '/start-session', {
      state: go,
      client_id: 'c',
      thread_id: 't-1',
    });
    expect(body).toEqual({
      session_id: expect.stringMatching(/^sess_[A-Za-z0-9]{22}$/),
      events_url: `${client.url}/sessions/${body.session_id}/events`,
      resume_url: `${client.url}/sessions/${body.session_id}/resume`,
      assistant_id: 'assistant',
      protocol_version: '1',
      thread_id: 't-1',
    });
  });

  it('returns URLs under its public URL when one is configured', async () => {
    const { client } = await openOrchestrator({ planner: planner(), publicUrl: 'https://plan.example/svc/' });
    const { events_url } = await client.start(go);
    expect(events_url).toMatch(/^https:\/\/plan\.example\/svc\/sessions\/sess_/);
  });

  it.each([
    ['a request without a body', undefined, 422, 'INVALID_REQUEST'],
    ['broken JSON', '{"state":', 400, 'INVALID_JSON'],
    ['an array', '[]', 422, 'INVALID_REQUEST'],
    ['a body without a state', { client_id: 'c' }, 422, 'INVALID_REQUEST'],
    [
      'a message of an unknown type',
      { state: { messages: [{ type: 'oracle', content: 'x' }] } },
      422,
      'INVALID_REQUEST',
    ],
    [
      'two tools with one name',
      { state: request('go', [toolSpec('b'), { ...toolSpec('b'), tool_id: 't-2' }]) },
      422,
      'DUPLICATE_TOOL',
    ],
    ['an unknown target', { state: { ...go, targeted_tools: ['z'] } }, 422, 'UNKNOWN_TARGET'],
    ['a thread id that is too long', { state: go, thread_id: 'x'.repeat(257) }, 422, 'INVALID_REQUEST'],
    ['a NUL in a thread id', { state: go, thread_id: 't-1\0x' }, 422, 'INVALID_REQUEST'],
    ['an unpaired surrogate in a thread id', { state: go, thread_id: '\ud800' }, 422, 'INVALID_REQUEST'],
  ])('refuses %s', async (_, body, status, code) => {
    const { client } = await openOrchestrator({ planner: planner() });
    expect(await client.request('POST', '/start-session', body)).toMatchObject({ status, body: { code } });
    expect((await client.request('GET', '/sessions')).body.items).toEqual([]);
  });

  it.each([
    ['', undefined],
    ['x'.repeat(256), 'x'.repeat(256)],
  ])('accepts the thread id "%s"', async (thread_id, answered) => {
    const { client } = await openOrchestrator({ planner: planner() });
    expect(await client.start(go, { thread_id })).toHaveProperty('session_id');
    expect((await client.request('GET', '/sessions')).body.items[0].thread_id).toBe(answered);
  });

  it('refuses a start or a result that is nested too deeply', async () => {
    const { client } = await openOrchestrator({
      planner: planner(),
      store: sqliteRunStore({ path: ':memory:' }),
    });
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const tool = JSON.stringify(toolSpec('b', { deep: { items: 'HERE' } }));
    const start = JSON.stringify({ state: { ...go, tools: ['TOOL'] } }).replace('"TOOL"', tool);
    const refusal = { status: 422, body: { code: 'INVALID_REQUEST', details: { limit: 1000 } } };
    const tooDeep = start.replace('"HERE"', nested(20_000));
    expect(await client.request('POST', '/start-session', tooDeep)).toMatchObject(refusal);
    const session = await client.start(go);
    for await (const { name, payload } of client.events(session.events_url)) {
      if (name !== 'tool_event') continue;
      const body = JSON.stringify({ value: { tool_event_id: payload.id, status: 'ok', result: 'HERE' } });
      const post = (levels: number) =>
        client.request('POST', session.resume_url, body.replace('"HERE"', nested(levels)));
      expect(await post(20_000)).toMatchObject(refusal);
      expect(await post(900)).toMatchObject({ status: 200, body: { accepted: true } });
    }
    expect((await client.request('GET', `/sessions/${session.session_id}`)).body).toMatchObject({
      status: 'completed',
    });
  });

  it('refuses a body of very many values, but no result', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const many = (count: number) => Array.from({ length: count }, () => ({}));
    const refusal = { status: 422, body: { code: 'INVALID_REQUEST', details: { limit: 250_000 } } };
    const messages = many(250_000);
    expect(await client.request('POST', '/start-session', { state: { ...go, messages } })).toMatchObject(
      refusal,
    );
    const session = await client.start({ ...go, metadata: { many: many(100_000) } });
    const resume = (value: object) => client.request('POST', session.resume_url, { value });
    expect(await resume({ answers: many(250_000) })).toMatchObject(refusal);
    const result = { tool_event_id: 'unknown', status: 'ok', result: many(250_000) };
    expect(await resume(result)).toMatchObject({ status: 200, body: { reason: 'unknown' } });
  });

  it('names the paths of invalid values, never the values', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const state = { ...go, reasoning: 'secret-value', execution_config: { timeout: 'secret-value' } };
    const { body } = await client.request('POST', '/start-session', { state });
    expect(body.details.problems.map(({ path }: { path: string }) => path)).toEqual([
      'state.execution_config.timeout',
      'state.reasoning',
    ]);
    expect(JSON.stringify(body)).not.toContain('secret-value');
  });

  it('reads messages as leniently as the original', async () => {
    const planner = scriptedPlanner([finish('ok')]);
    const { client } = await openOrchestrator({ planner });
    const messages = [
      { role: 'SYSTEM', content: 's' },
      { role: 'user', content: 'u', name: null, attachments: [{ name: 'a.txt', text_content: 'file' }] },
    ];
    await client.run({ messages, tools: null, metadata: null });
    expect(planner.contexts[0]?.messages).toEqual([
      { role: 'system', content: 's' },
      {
        role: 'user',
        content: 'u',
        attachments: [{ name: 'a.txt', mime_type: 'application/octet-stream', text: 'file' }],
      },
    ]);
  });

  it('refuses a body over the limit with 413, and another content type with 415', async () => {
    const { client } = await openOrchestrator({ planner: planner(), limits: { startBodyBytes: 2000 } });
    const large = await client.request('POST', '/start-session', { state: request('x'.repeat(2000)) });
    const details = { limit: 2000 };
    expect(large).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE', details } });
    expect(large.body.message).toContain('2000 bytes');
    const xml = await client.request('POST', '/start-session', '<a/>', { 'content-type': 'text/xml' });
    expect(xml).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it('refuses starts over the quota of a project, with Retry-After', async () => {
    const { client, orchestrator } = await openOrchestrator({
      planner: planner(),
      limits: { startsPerMinute: 2 },
    });
    await client.start(go);
    await client.start(go);
    const refused = await client.request('POST', '/start-session', { state: go });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'QUOTA_EXCEEDED', details: { quota: 'starts_per_minute', limit: 2 } },
    });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    const { key } = await orchestrator.keys.create({ project: 'other' });
    const other = await client.request(
      'POST',
      '/start-session',
      { state: go },
      { authorization: `Bearer ${key}` },
    );
    expect(other.status).toBe(200);
  });

  it('counts a start before hiding its private values, whatever becomes of it', async () => {
    const { client } = await openOrchestrator({ planner: planner(), limits: { startsPerMinute: 1 } });
    const entries = [{ pattern: 'a'.repeat(20_000), justification: 'our own pages' }];
    const start = () =>
      client.request('POST', '/start-session', { state: { ...go, pii_whitelist: { entries } } });
    expect(await start()).toMatchObject({ status: 422, body: { code: 'INVALID_WHITELIST' } });
    expect(await start()).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  });

  it('refuses a start over the quota of open sessions until one ends', async () => {
    const { client } = await openOrchestrator({ planner: planner(), limits: { openSessionsPerProject: 1 } });
    const session = await client.start(go);
    const refused = await client.request('POST', '/start-session', { state: go });
    expect(refused).toMatchObject({ status: 429, body: { details: { quota: 'open_sessions', limit: 1 } } });
    await client.follow(session, { b: () => 1 });
    expect((await client.request('POST', '/start-session', { state: go })).status).toBe(200);
  });
});

describe('the resume and cancel routes', () => {
  it('answer a result for a call of another session as unknown, and change nothing', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const [first, second] = [await client.start(go), await client.start(go)];
    const id = await toolEventId(client.events(first.events_url));
    expect((await client.result(second.resume_url, id, 'foreign')).body).toEqual({
      accepted: false,
      reason: 'unknown',
    });
    expect((await client.result(first.resume_url, id, 'own')).body).toEqual({ accepted: true });
  });

  it('answer a result after the end as late, and accept neither a legacy answer nor another cancel', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const session = await client.start(go);
    const id = await toolEventId(client.events(session.events_url));
    const cancelled = await client.request('DELETE', `/sessions/${session.session_id}`, {
      reason: 'changed my mind',
    });
    expect(cancelled).toMatchObject({ status: 202, body: { accepted: true } });
    const { final } = await client.follow(session, { b: () => 1 });
    expect(final).toMatchObject({ status: 'cancelled', error: 'changed my mind' });
    expect((await client.result(session.resume_url, id, 1)).body).toEqual({
      accepted: false,
      reason: 'late',
    });
    const legacy = { value: { 'ev-1': { arg_name: 'a', value: 'x' } } };
    expect((await client.request('POST', session.resume_url, legacy)).body).toMatchObject({
      accepted: false,
    });
    const again = await client.request('DELETE', `/sessions/${session.session_id}`, { reason: null });
    expect(again).toMatchObject({ status: 200, body: { accepted: false, reason: 'ended' } });
  });

  it.each([undefined, {}, { reason: null }, { reason: ' ' }])(
    'give a cancelled run a default reason when the request body is %j',
    async (body) => {
      const { client } = await openOrchestrator({ planner: planner() });
      const session = await client.start(go);
      await client.request('DELETE', `/sessions/${session.session_id}`, body);
      const { final } = await client.follow(session, { b: () => 1 });
      expect(final).toMatchObject({ status: 'cancelled', error: 'Cancelled by the caller.' });
    },
  );

  it.each([
    ['no value', {}],
    ['no event id', { value: { result: 1 } }],
    ['an error without a message', { value: { tool_event_id: 'x', status: 'error', error: { code: 'A' } } }],
  ])('refuse a result with %s', async (_, body) => {
    const { client } = await openOrchestrator({ planner: planner() });
    const { resume_url } = await client.start(go);
    expect(await client.request('POST', resume_url, body)).toMatchObject({ status: 422 });
  });
});

describe('the session list and snapshot routes', () => {
  it('show what a session waits for, and then its final', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const session = await client.start(go);
    const path = `/sessions/${session.session_id}`;
    const id = await toolEventId(client.events(session.events_url));
    const waiting = await client.request('GET', path);
    expect(waiting.body).toMatchObject({
      session_id: session.session_id,
      project_id: 'local',
      status: 'waiting_for_tools',
      pending_calls: [{ tool_event_id: id, tool_id: 't-b', tool_name: 'b' }],
    });
    await client.result(session.resume_url, id, 1);
    await client.follow(session, { b: () => 1 });
    const ended = (await client.request('GET', path)).body;
    expect(ended).toMatchObject({ status: 'completed', pending_calls: [], final: { response: 'ok' } });
    expect(ended.ended_at).toBeDefined();
  });

  it('name the swarm and the member of a session', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    await client.start({ ...go, swarm_config: { swarm_name: 'desk', invoked_agent_name: 'writer' } });
    const { items } = (await client.request('GET', '/sessions')).body;
    expect(items).toMatchObject([{ swarm_name: 'desk', agent_name: 'writer' }]);
  });

  it('list sessions by whether they have ended, and by thread', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const [ended, open] = [await client.start(go), await client.start(go, { thread_id: 't' })];
    await client.follow(ended, { b: () => 1 });
    const ids = async (query: string) => {
      const { body } = await client.request('GET', `/sessions${query}`);
      return body.items.map((item: { session_id: string }) => item.session_id);
    };
    expect(await ids('?ended=true')).toEqual([ended.session_id]);
    expect(await ids('?ended=false')).toEqual([open.session_id]);
    expect(await ids('?thread_id=t')).toEqual([open.session_id]);
    expect(await ids('')).toHaveLength(2);
    expect(await client.request('GET', '/sessions?ended=maybe')).toMatchObject({ status: 422 });
  });

  it('list sessions page by page, newest first, and refuse an invalid cursor or limit', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    const started: string[] = [];
    for (let number = 0; number < 5; number += 1) started.push((await client.start(go)).session_id);
    const listed: { session_id: string; created_at: string }[] = [];
    let cursor = '';
    do {
      const { body } = await client.request('GET', `/sessions?limit=2${cursor && `&cursor=${cursor}`}`);
      listed.push(...body.items);
      cursor = body.next_cursor ?? '';
    } while (cursor);
    expect(listed.map(({ session_id }) => session_id).toSorted()).toEqual(started.toSorted());
    const times = listed.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await client.request('GET', '/sessions?limit=5')).body).not.toHaveProperty('next_cursor');
    expect(await client.request('GET', '/sessions?cursor=../x')).toMatchObject({ status: 422 });
    expect(await client.request('GET', '/sessions?limit=9999')).toMatchObject({
      status: 422,
      body: { message: 'The request is invalid at "limit": Too big: expected number to be <=200.' },
    });
  });
});

async function toolEventId(
  events: AsyncIterable<{ name: string; payload: Record<string, unknown> }>,
): Promise<string> {
  for await (const { name, payload } of events) if (name === 'tool_event') return String(payload['id']);
  throw new Error('the stream ended without a call');
}
