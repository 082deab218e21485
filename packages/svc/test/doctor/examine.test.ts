import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/doctor/checks.js';
import { examine } from '../../src/doctor/examine.js';
import { startServer } from '../start-server.js';

interface Behaviour {
  /** How heartbeats leave the server: one by one, held back in pairs, or never. */
  heartbeats?: 'single' | 'held' | 'none';
  readsHeader?: boolean;
  readsQuery?: boolean;
  /** Sends only live events. */
  isLive?: boolean;
  cutAfterMs?: number;
  headers?: Record<string, string>;
  status?: number;
  silent?: boolean;
  /** Sends not even the response headers. */
  holdsHead?: boolean;
  /** A request with a cursor gets no answer. */
  ignoresCursors?: boolean;
  /** A request with a cursor is answered with this status. */
  refusesCursors?: number;
  /** Of the requests with a cursor, only those that contain this text are refused. */
  refusesOnly?: string;
  /** Holds back the replay for a request with a cursor. */
  holdsReplay?: boolean;
  ids?: readonly string[];
  /** Sends an event without an id after each replay. */
  endsWithoutId?: boolean;
  /** Sends its replay in a piece after the one with the first frame. */
  repliesLate?: boolean;
  /** Marks where its replay begins and ends, as our route does. */
  marksReplay?: boolean;
  /** Receives the cursors of all requests with one. */
  cursors?: string[];
}

const beatMs = 40;
const event = (id: string, name = 'update') =>
  `id: ${id}\nevent: ${name}\ndata: {"id":"${id}","timestamp":"2026-01-01T00:00:00Z"}\n\n`;

/** Serves a stream of three events with the given behaviour. */
function serve(response: ServerResponse, request: IncomingMessage, behaviour: Behaviour): void {
  const {
    heartbeats = 'single',
    readsHeader = true,
    readsQuery = true,
    headers = {},
    ids: known = ['e-1', 'e-2', 'e-3'],
  } = behaviour;
  if (behaviour.holdsHead) return;
  const hasCursor = /last_event_id|last-event-id/.test(
    `${request.url} ${Object.keys(request.headers).join()}`,
  );
  if (behaviour.ignoresCursors && hasCursor) return;
  const sent = `${request.url} ${request.headers['last-event-id']}`;
  if (behaviour.refusesCursors && hasCursor && sent.includes(behaviour.refusesOnly ?? ''))
    return void response.writeHead(behaviour.refusesCursors).end();
  response.writeHead(behaviour.status ?? 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    ...headers,
  });
  response.flushHeaders();
  if (behaviour.silent) return;
  response.write(behaviour.marksReplay ? ': replay\n\n' : ': connected\n\n');
  const fromQuery = new URL(request.url ?? '/', 'http://x').searchParams.get('last_event_id');
  const header = readsHeader ? request.headers['last-event-id'] : undefined;
  if (behaviour.isLive) return void response.write(event(randomUUID()) + event(randomUUID()));
  const cursor =
    header === undefined ? readsQuery && fromQuery : Buffer.from(String(header), 'latin1').toString();
  if (cursor) behaviour.cursors?.push(cursor);
  if (cursor && behaviour.holdsReplay) return;
  const seen = known.indexOf(String(cursor)) + 1;
  const replay = known.slice(seen).map((id) => event(id));
  if (behaviour.endsWithoutId) replay.push('data: {}\n\n');
  if (behaviour.repliesLate) setTimeout(() => response.write(replay.join('')), beatMs);
  else for (const text of replay) response.write(text);
  if (behaviour.marksReplay) setTimeout(() => response.write(': live\n\n'), beatMs);
  let held = '';
  const timer = setInterval(() => {
    held += ': keepalive\n\n';
    if (heartbeats === 'none' || (heartbeats === 'held' && held.length < 30)) return;
    response.write(held);
    held = '';
  }, beatMs);
  response.on('close', () => clearInterval(timer));
  if (behaviour.cutAfterMs) setTimeout(() => response.destroy(), behaviour.cutAfterMs);
}

/** Examines such a server. Repeats a look during which the event loop stalled, or which got no answer in time. */
async function examined(behaviour: Behaviour): Promise<Record<string, Finding>> {
  const origin = await startServer((request, response) => serve(response, request, behaviour));
  const url = new URL('/svc/events/s1', origin);
  for (;;) {
    const pauses = monitorEventLoopDelay();
    pauses.enable();
    const [outcome] = await Promise.allSettled([
      examine({ url, headers: {}, lookMs: 400, signal: new AbortController().signal }),
    ]);
    pauses.disable();
    if (pauses.max > 150_000_000) continue;
    if (outcome.status === 'rejected') {
      if (!behaviour.holdsHead && /^UsageError: No answer .* in 0\.4 s/.test(`${outcome.reason}`)) continue;
      throw outcome.reason;
    }
    return Object.fromEntries(outcome.value.map((finding) => [finding.check, finding]));
  }
}

describe('examine', () => {
  it('resumes only after ids that the server sent, because servers warn of others', async () => {
    const cursors: string[] = [];
    expect((await examined({ cursors }))['resume']).toMatchObject({ level: 'ok' });
    expect(new Set(cursors)).toEqual(new Set(['e-3', 'e-2']));
  });
  it('finds no failure in a healthy stream', async () => {
    const findings = await examined({});
    expect(Object.values(findings).map(({ check, level }) => [check, level])).toEqual([
      ['answer', 'ok'],
      ['headers', 'ok'],
      ['first frame', 'ok'],
      ['heartbeats', 'ok'],
      ['one by one', 'unknown'],
      ['kept open', 'ok'],
      ['resume', 'ok'],
    ]);
  });
  it.each<[string, Behaviour, string, string]>([
    ['a proxy that swallows heartbeats', { heartbeats: 'none' }, 'heartbeats', 'failure'],
    [
      'a proxy that swallows heartbeats after a replay',
      { heartbeats: 'none', marksReplay: true },
      'heartbeats',
      'failure',
    ],
    ['a proxy that holds heartbeats back', { heartbeats: 'held' }, 'heartbeats', 'failure'],
    ['a proxy that drops Last-Event-ID', { readsHeader: false }, 'resume', 'failure'],
    ['a proxy that cuts the connection', { cutAfterMs: 150 }, 'kept open', 'failure'],
    ['a cache', { headers: { 'cache-control': 'public, max-age=60' } }, 'headers', 'warning'],
    ['a page instead of a stream', { headers: { 'content-type': 'text/html' } }, 'answer', 'failure'],
    [
      'a content type that only starts like the right one',
      { headers: { 'content-type': 'text/event-stream-x' } },
      'answer',
      'failure',
    ],
    ['a route that refuses access', { status: 401 }, 'answer', 'failure'],
    ['a session that has ended', { status: 204 }, 'answer', 'unknown'],
    ['a proxy that holds everything back', { silent: true }, 'first frame', 'failure'],
  ])('finds %s', async (_, behaviour, check, level) => {
    const finding = (await examined(behaviour))[check];
    expect(finding).toMatchObject({ level, fix: expect.any(String) });
  });
  it('reports that the query works when only the header is dropped', async () => {
    expect((await examined({ readsHeader: false }))['resume']?.what).toContain('query');
  });
  it('does not blame the header when a reader that reconnects receives nothing', async () => {
    expect((await examined({ holdsReplay: true }))['resume']).toMatchObject({
      level: 'unknown',
      what: expect.stringContaining('after a reconnect'),
      fix: expect.any(String),
    });
  });
  it('finds repeated events when no cursor is read', async () => {
    expect((await examined({ readsHeader: false, readsQuery: false }))['resume']).toMatchObject({
      level: 'failure',
      what: 'events were repeated after the last id',
      fix: expect.stringContaining('must read it'),
    });
  });
  it('finds repeated events that arrive after the first frame', async () => {
    const behaviour = { readsHeader: false, readsQuery: false, repliesLate: true };
    expect((await examined(behaviour))['resume']).toMatchObject({
      level: 'failure',
      what: 'events were repeated after the last id',
    });
  });
  it('does not blame the route when it sends no past events', async () => {
    expect((await examined({ isLive: true }))['resume']).toMatchObject({
      level: 'unknown',
      what: expect.stringContaining('do not show'),
    });
  });
  it.each([[[]], [['e-1']]])('does not check resuming in a session with the events %j', async (ids) => {
    const cursors: string[] = [];
    expect((await examined({ ids, cursors }))['resume']).toMatchObject({
      level: 'unknown',
      what: expect.stringContaining('not checked'),
      fix: expect.any(String),
    });
    expect(cursors).toEqual([]);
  });
  it('finds compression', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(': connected\n\n'));
    });
    const findings = await examine({
      url: new URL(origin),
      headers: {},
      lookMs: 10_000,
      signal: new AbortController().signal,
    });
    expect(findings.find((finding) => finding.check === 'headers')).toMatchObject({
      level: 'failure',
      what: 'compressed with gzip',
    });
  });
  it.each([
    ['with', undefined],
    ['without', []],
  ])('stops when it is aborted, in a session %s events', async (_, ids) => {
    const behaviour = ids ? { ids } : {};
    const url = new URL(await startServer((request, response) => serve(response, request, behaviour)));
    await expect(
      examine({ url, headers: {}, lookMs: 60_000, signal: AbortSignal.timeout(80) }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('resumes after non-ASCII ids, as browsers do', async () => {
    expect(await examined({ ids: ['1-ü', '2-🙂'] })).toMatchObject({ resume: { level: 'ok' } });
  });

  it('resumes between the events with ids when others have none', async () => {
    const cursors: string[] = [];
    expect(await examined({ endsWithoutId: true, cursors })).toMatchObject({ resume: { level: 'ok' } });
    expect(new Set(cursors)).toEqual(new Set(['e-3', 'e-2']));
  });

  it('reads the content type in any case', async () => {
    const headers = { 'content-type': 'Text/Event-Stream; charset=utf-8' };
    expect(await examined({ headers })).toMatchObject({ answer: { level: 'ok' } });
  });

  it('suggests both a proxy and the application as the cause when no answer arrives', async () => {
    await expect(examined({ holdsHead: true })).rejects.toThrow(
      /^No answer from .* in 0\.4 s.*buffering.*application, or the store behind it/,
    );
  });

  it('finds that reconnecting is refused', async () => {
    expect((await examined({ refusesCursors: 403 }))['resume']).toMatchObject({
      level: 'failure',
      what: 'reconnecting failed: the answer was 403',
      fix: expect.stringContaining('Last-Event-ID'),
    });
  });

  it.each<[string, Behaviour]>([
    ['the query parameter', { readsHeader: false, refusesOnly: 'last_event_id' }],
    ['an earlier cursor', { refusesOnly: 'e-2' }],
  ])('finds that reconnecting with %s is refused', async (_, behaviour) => {
    expect((await examined({ refusesCursors: 503, ...behaviour }))['resume']).toMatchObject({
      level: 'failure',
      what: 'reconnecting failed: the answer was 503',
    });
  });

  it('does not blame the server when the session has ended', async () => {
    expect((await examined({ refusesCursors: 204 }))['resume']).toMatchObject({ level: 'unknown' });
  });

  it('keeps its findings when reconnecting gets no answer', async () => {
    const findings = await examined({ ignoresCursors: true });
    expect(Object.values(findings).map(({ check, level }) => [check, level])).toEqual([
      ['answer', 'ok'],
      ['headers', 'ok'],
      ['first frame', 'ok'],
      ['heartbeats', 'ok'],
      ['one by one', 'unknown'],
      ['kept open', 'ok'],
      ['resume', 'failure'],
    ]);
    expect(findings['resume']).toMatchObject({
      what: expect.stringMatching(/reconnecting failed: No answer from .* in 0\.4 s/),
      fix: expect.any(String),
    });
  });
});
