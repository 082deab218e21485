import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventEntry } from '../../../src/sessions/record/session-record.js';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { WireClient, type WireEvent } from '../../support/wire-client.js';

const oneCall = () => scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);

async function take(events: AsyncIterable<WireEvent>, count: number): Promise<WireEvent[]> {
  const taken: WireEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

describe('the event stream', () => {
  it('delivers all events from the beginning, each with an id, and ends after the final', async () => {
    const { client } = await openOrchestrator({ planner: oneCall() });
    const session = await client.start(go);
    const { events } = await client.follow(session, { b: () => 1 });
    expect(events[0]?.name).toBe('session_start');
    expect(events.at(-1)?.name).toBe('final');
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
    const again = await take(client.events(session.events_url), 100);
    expect(again).toEqual(events);
  });

  it('ends together with the final, before the store has said that the run is over', async () => {
    const store = new MemoryRunStore();
    const { client } = await openOrchestrator({ planner: oneCall(), store });
    const session = await client.start(go);
    const { events } = await client.follow(session, { b: () => 1 });
    const follow = store.follow.bind(store);
    store.follow = async function* slow(...given) {
      yield* follow(...given);
      await new Promise((resolve) => given[1].signal?.addEventListener('abort', resolve));
    };
    expect(await take(client.events(session.events_url), 100)).toEqual(events);
  });

  it('resumes after the cursor with nothing lost or repeated, however often it is cut', async () => {
    const { client } = await openOrchestrator({ planner: oneCall() });
    const session = await client.start(go);
    const { events } = await client.follow(session, { b: () => 1 });
    const pieced: WireEvent[] = [];
    while (pieced.at(-1)?.name !== 'final') {
      const cursor = pieced.at(-1)?.id;
      pieced.push(
        ...(await take(client.events(session.events_url, cursor === undefined ? {} : { cursor }), 2)),
      );
    }
    expect(pieced).toEqual(events);
  });

  it('accepts the cursor as a query parameter, and restarts for a cursor that cannot be its own', async () => {
    const { client } = await openOrchestrator({ planner: oneCall() });
    const session = await client.start(go);
    const { events } = await client.follow(session, { b: () => 1 });
    const cursor = events[2]?.id;
    const rest = await take(client.events(`${session.events_url}?last_event_id=${cursor}`), 100);
    expect(rest).toEqual(events.slice(3));
    // A reader that reconnects sends both: the URL it started with, and its latest cursor.
    const stale = client.events(`${session.events_url}?last_event_id=${events[0]?.id}`, {
      cursor: cursor ?? '',
    });
    expect(await take(stale, 100)).toEqual(rest);
    for (const foreign of ['999999', 'abc', '-1', '1e0']) {
      expect(await take(client.events(session.events_url, { cursor: foreign }), 100)).toEqual(events);
    }
    expect(await take(client.events(session.events_url, { cursor: events.at(-1)?.id ?? '' }), 1)).toEqual([]);
  });

  it('serves several readers of one session', async () => {
    const { client } = await openOrchestrator({ planner: oneCall() });
    const session = await client.start(go);
    const readers = [1, 2, 3].map(() => take(client.events(session.events_url), 100));
    const { events } = await client.follow(session, { b: () => 1 });
    for (const reader of readers) expect(await reader).toEqual(events);
  });

  it('sends heartbeats without an id while nothing happens', async () => {
    const { client } = await openOrchestrator({ planner: oneCall(), heartbeatIntervalMs: 5 });
    const session = await client.start(go);
    const names = new Set<string>();
    for await (const event of client.events(session.events_url)) {
      names.add(event.name);
      if (event.name === 'heartbeat') {
        expect(event.payload).toEqual({});
        expect(event.id).toBeUndefined();
        break;
      }
    }
    expect(names).toContain('heartbeat');
  });

  it('sends its headers before any event', async () => {
    const { client } = await openOrchestrator({ planner: oneCall(), heartbeatIntervalMs: 600_000 });
    const { events_url } = await client.start(go);
    const [tool] = await takeUntilTool(client.events(events_url));
    const headers = { authorization: `Bearer ${client.key}`, 'last-event-id': `${tool?.id}` };
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const response = await fetch(events_url, { headers, signal: leave.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    // A proxy that compresses frames would hold them back.
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
  });

  it('escapes the characters that the original’s parser takes for line breaks', async () => {
    const text = 'a\u2028b\u2029c\u0085d';
    const { client } = await openOrchestrator({ planner: scriptedPlanner([finish(text)]) });
    const { events_url } = await client.start(request('go'));
    const response = await fetch(events_url, { headers: { authorization: `Bearer ${client.key}` } });
    const raw = await response.text();
    expect(raw).not.toMatch(/[\u0085\u2028\u2029]/);
    expect(raw).toContain('\\u2028');
    const { events } = await client.follow({ events_url, resume_url: '' });
    expect(events.at(-1)?.payload['response']).toBe(text);
  });

  it('is returned as JSON on request, even while the run continues', async () => {
    const { client } = await openOrchestrator({ planner: oneCall() });
    const session = await client.start(go);
    const [tool] = await takeUntilTool(client.events(session.events_url));
    const { body } = await client.request('GET', session.events_url, undefined, {
      accept: 'application/json',
    });
    expect(body.items.map(({ name }: { name: string }) => name)).toContain('tool_event');
    expect(body.items.find(({ name }: { name: string }) => name === 'tool_event')).toMatchObject({
      id: tool?.id,
      payload: tool?.payload,
      at: expect.stringMatching(/^\d{4}-/),
    });
  });

  it('is returned as JSON in full, however long it is', async () => {
    const store = new MemoryRunStore();
    const run = { sessionId: 'long', projectId: 'local', keyId: 'k', labels: {}, owner: 'x', request: {} };
    await store.createRun({ ...run, nowMs: 0, leaseMs: 0 });
    const entries = Array.from({ length: 1_200 }, (_, number) => eventEntry('enrichment', { number }));
    await store.append('long', { entries, nowMs: 0, status: 'completed', ends: true });
    const { client } = await openOrchestrator({ store });
    const accept = { accept: 'application/json' };
    const { items } = (await client.request('GET', '/sessions/long/events', undefined, accept)).body;
    expect(items.map(({ payload }: WireEvent) => payload['number'])).toEqual([...entries.keys()]);
  });

  it('ends when the store fails, which is logged, and resumes after its cursor', async () => {
    const store = new MemoryRunStore();
    const logged: unknown[] = [];
    const logger = { info() {}, warn() {}, error: (...entry: unknown[]) => void logged.push(entry) };
    const { client } = await openOrchestrator({ planner: oneCall(), store, logger });
    const session = await client.start(go);
    const { events } = await client.follow(session, { b: () => 1 });
    const follow = store.follow.bind(store);
    store.follow = async function* failing(...given) {
      for await (const [first] of follow(...given)) {
        if (first) yield [first];
        throw new Error('canary');
      }
    };
    const [before] = await take(client.events(session.events_url), 100);
    store.follow = follow;
    expect(before).toEqual(events[0]);
    expect(await take(client.events(session.events_url, { cursor: before?.id ?? '' }), 100)).toEqual(
      events.slice(1),
    );
    expect(logged).toMatchObject([
      [{ session_id: session.session_id, error: { name: 'Error' } }, 'stream failed'],
    ]);
    expect(JSON.stringify(logged)).not.toContain('canary');
  });

  it('is refused in another media type, for an unknown session, and over the limit', async () => {
    const { client } = await openOrchestrator({ planner: oneCall(), limits: { streams: 1 } });
    const session = await client.start(go);
    const image = await client.request('GET', session.events_url, undefined, { accept: 'image/png' });
    expect(image).toMatchObject({ status: 406, body: { code: 'NOT_ACCEPTABLE' } });
    const gone = await client.request('GET', '/sessions/sess_none/events');
    expect(gone).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    const abort = new AbortController();
    const first = client.events(session.events_url, { signal: abort.signal });
    await first.next();
    expect(await openStream(client, session)).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { code: 'TOO_MANY_STREAMS' },
    });
    abort.abort();
    await first.next().catch(() => undefined);
  });
});

it('a limit of streams per project leaves room for other projects', async () => {
  const { client, orchestrator } = await openOrchestrator({
    planner: oneCall(),
    limits: { streams: 2, streamsPerProject: 1 },
  });
  const other = new WireClient(client.url, (await orchestrator.keys.create({ project: 'other' })).key);
  const abort = new AbortController();
  const [mine, theirs] = [await client.start(go), await other.start(go)];
  const open = client.events(mine.events_url, { signal: abort.signal });
  await open.next();
  expect(await openStream(client, mine)).toEqual({
    status: 429,
    retryAfter: '5',
    body: expect.objectContaining({
      code: 'QUOTA_EXCEEDED',
      details: { quota: 'open_streams', limit: 1 },
    }),
  });
  expect((await other.follow(theirs, { b: () => 1 })).final).toMatchObject({ status: 'completed' });
  abort.abort();
  await open.next().catch(() => undefined);
  // A reader that has left and one that has read everything have freed their places.
  for (const [reader, session] of [[client, mine] as const, [other, theirs] as const])
    await expect.poll(() => openStream(reader, session), { timeout: 10_000 }).toMatchObject({ status: 200 });
});

/** Returns the answer to opening a stream. An open stream is aborted at once, since it may never end. */
async function openStream({ key }: WireClient, { events_url }: { events_url: string }) {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(events_url, { headers, signal: abort.signal });
  const body: unknown = response.ok ? abort.abort() : await response.json();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

/** Returns the number of open streams from the metrics. */
async function openStreams(client: WireClient): Promise<string | undefined> {
  const { body } = await client.request('GET', '/metrics');
  return /^svc_streams_open (\d+)$/m.exec(String(body))?.[1];
}

async function takeUntilTool(events: AsyncIterable<WireEvent>): Promise<WireEvent[]> {
  for await (const event of events) if (event.name === 'tool_event') return [event];
  return [];
}

it('a reader that reads nothing keeps its stream open until its key is revoked, which disconnects it', async () => {
  const length = 30_000_000;
  const { client, orchestrator } = await openOrchestrator({
    planner: scriptedPlanner([finish('x'.repeat(length))]),
  });
  const { id, key } = await orchestrator.keys.create({ project: 'local' });
  const session = await client.start(request('go'));
  expect((await client.follow(session)).final).toMatchObject({ status: 'completed' });
  const { hostname, port, pathname } = new URL(session.events_url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  // The connection is cut in the middle of the stream, as intended.
  socket.on('error', () => undefined);
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  let taken = 0;
  await once(socket, 'readable');
  expect(await openStreams(client)).toBe('1');
  await orchestrator.keys.revoke(id);
  await expect.poll(() => openStreams(client), { timeout: 30_000 }).toBe('0');
  socket.on('data', (chunk) => (taken += chunk.length));
  await once(socket, 'close');
  expect(taken).toBeLessThan(length);
});

it('a reader that disconnects frees the places of all streams it has requested', async () => {
  const { client } = await openOrchestrator({ planner: oneCall() });
  const { events_url: url } = await client.start(go);
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  // The requests are pipelined: the second answer is not sent until the first has ended.
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${client.key}\r\n\r\n`.repeat(2),
  );
  await expect.poll(() => openStreams(client), { timeout: 10_000 }).toBe('2');
  socket.destroy();
  await expect.poll(() => openStreams(client), { timeout: 10_000 }).toBe('0');
});
