import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getLogger } from '../../../../src/logging/logger.js';
import { HttpSessions } from '../../../../src/mcp/serve/http/http-sessions.js';
import { createProtocolServer, type ProtocolServer } from '../../../../src/mcp/serve/protocol-server.js';

beforeEach(() => {
  open = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const offer = { listTools: () => [], call: () => undefined };
let open = 0;
/** Creates a server, and counts those that are open. */
async function createServer(): Promise<ProtocolServer> {
  const identity = { name: 's', version: '1', instructions: undefined };
  const created = await createProtocolServer(offer, identity, getLogger('test'));
  open += 1;
  created.server.onclose = () => (open -= 1);
  return created;
}

/** Creates sessions for the requests of one client. */
function createSessions(...parts: ConstructorParameters<typeof HttpSessions>) {
  const sessions = new HttpSessions(...parts);
  return {
    handle: async (request: Request) => sessions.handle(request, 'ada'),
    list: () => sessions.list(),
    close: async () => sessions.close(),
  };
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** Creates a request of a client, in a session if one is given. */
function request(message: object = initialize, session?: string): Request {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: session === undefined ? headers : { ...headers, 'mcp-session-id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

const ping = (session: string) => request({ method: 'ping' }, session);
const idOf = (response: Response) => response.headers.get('mcp-session-id') ?? '';

it('a session is kept by every request, and ends after sessionIdleMs without one', async () => {
  const sessions = createSessions({ maxSessions: 1, sessionIdleMs: 1_000 }, createServer);
  const id = idOf(await sessions.handle(request()));
  for (let count = 0; count < 3; count += 1) {
    vi.advanceTimersByTime(999);
    expect((await sessions.handle(ping(id))).status).toBe(200);
  }
  vi.advanceTimersByTime(1_000);
  expect((await sessions.handle(ping(id))).status).toBe(404);
  expect((await sessions.handle(request())).status).toBe(200);
});

it('an idle session does not keep the process alive', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const sessions = createSessions({ maxSessions: 1, sessionIdleMs: 1_234 }, createServer);
  await sessions.handle(request());
  const idle = timers.mock.results.filter((_, index) => timers.mock.calls[index]?.[1] === 1_234);
  expect(idle.map(({ value }) => value.hasRef())).toEqual([false]);
});

it('a session that its client ends makes room for another', async () => {
  const sessions = createSessions({ maxSessions: 1, sessionIdleMs: 1_000 }, createServer);
  const id = idOf(await sessions.handle(request()));
  const end = new Request('http://localhost/mcp', { method: 'DELETE', headers: { 'mcp-session-id': id } });
  await sessions.handle(end);
  expect((await sessions.handle(ping(id))).status).toBe(404);
  expect((await sessions.handle(request())).status).toBe(200);
});

it('sessions that are being opened count towards maxSessions, and failed ones do not', async () => {
  const sessions = createSessions({ maxSessions: 1, sessionIdleMs: 1_000 }, createServer);
  expect((await sessions.handle(request({ method: 'ping' }))).status).toBe(400);
  expect(open).toBe(0);
  const opened = await Promise.all([sessions.handle(request()), sessions.handle(request())]);
  expect(opened.map(({ status }) => status)).toEqual([200, 503]);
});

it('closing ends all sessions, even one that is being opened, and refuses further requests', async () => {
  const sessions = createSessions({ maxSessions: 9, sessionIdleMs: 1_000 }, async () => {
    if (sessions.list().length > 0) await sessions.close();
    return createServer();
  });
  const id = idOf(await sessions.handle(request()));
  expect((await sessions.handle(request())).status).toBe(503);
  expect((await sessions.handle(ping(id))).status).toBe(503);
  expect([sessions.list(), open]).toEqual([[], 0]);
  expect(vi.getTimerCount()).toBe(0);
});
