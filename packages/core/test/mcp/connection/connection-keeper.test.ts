import { describe, expect, it } from 'vitest';
import { quickRuntime } from '../../quick-runtime.js';
import { startHttpServer } from '../http-servers.js';
import { callTool, connectTo, connectToHostile, createContext, textOf } from '../mcp-doubles.js';

describe('the delay before a lost server is restarted', () => {
  it.each([
    ['grows while each process lives only briefly', 9_999, [1_000, 2_000, 4_000, 8_000]],
    [
      'is zero after a process that lived for ten seconds, then starts small again',
      10_000,
      [1_000, 2_000, 1_000],
    ],
  ])('%s', async (_what, lifeMs, sleeps) => {
    let now = 0;
    const runtime = { ...quickRuntime(), monotonicMs: () => now };
    const server = connectToHostile('crash', { reconnect: { baseMs: 1_000 } }, { runtime });
    const tools = await server.listTools();
    for (const openMs of [0, 0, lifeMs, 0]) {
      await server.connect();
      now += openMs;
      await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    }
    await server.connect();
    expect(runtime.sleeps).toEqual(sleeps);
  });

  it('is randomized down to half, so that not all clients reconnect at once', async () => {
    const runtime = { ...quickRuntime(), monotonicMs: () => 0, random: () => 0 };
    const server = connectToHostile('crash', { reconnect: { baseMs: 1_000 } }, { runtime });
    const tools = await server.listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    await server.connect();
    expect(runtime.sleeps).toEqual([500]);
  });
});

it('connect() rejects with the reason of an aborted signal, even if the server is connected', async () => {
  const server = connectToHostile('good');
  await server.connect();
  const reason = new Error('enough');
  await expect(server.connect({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

describe('reconnecting to a server over HTTP', () => {
  it.each([
    [401, 'MCP_UNAUTHORIZED', 1],
    [503, 'MCP_HTTP_503', 3],
  ])('on status %i fails with %s after %i attempt(s)', async (status, code, attempts) => {
    const refusals: number[] = [];
    const remote = await startHttpServer({ allow: () => refusals[0] });
    const options = { name: 'web', url: remote.url, maxMessageBytes: 100_000, reconnect: { maxAttempts: 3 } };
    const tools = await connectTo(options, { runtime: quickRuntime() }).listTools();
    await expect(callTool(tools, '__large')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    refusals.push(status);
    const before = remote.requests.length;
    await expect(callTool(tools, '__greet', { name: 'Ada' })).rejects.toMatchObject({ code });
    expect(remote.requests.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(attempts);
  });
});

describe('a lost session over HTTP', () => {
  it('fails none of the concurrent calls that find it lost', async () => {
    const remote = await startHttpServer();
    const tools = await connectTo({ name: 'web', url: remote.url }, { runtime: quickRuntime() }).listTools();
    remote.forget();
    const names = ['Ada', 'Grace', 'Mary'];
    const answers = await Promise.all(names.map(async (name) => callTool(tools, '__greet', { name })));
    expect(answers.map(textOf)).toEqual(['Hello Ada', 'Hello Grace', 'Hello Mary']);
    expect(remote.sessions.size).toBe(1);
    expect(remote.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('counts as short-lived, so the next one is delayed', async () => {
    const remote = await startHttpServer();
    const runtime = { ...quickRuntime(), monotonicMs: () => 0 };
    const options = { name: 'web', url: remote.url, reconnect: { baseMs: 1_000 } };
    const tools = await connectTo(options, { runtime }).listTools();
    remote.forget();
    await callTool(tools, '__greet', { name: 'Ada' });
    expect(runtime.sleeps).toEqual([1_000]);
  });

  /** Starts a call that waits for a person in a session that another call then finds lost. */
  async function splitSession() {
    const refusals: number[] = [];
    const remote = await startHttpServer({
      allow: ({ method }) => (method === 'POST' ? refusals.shift() : undefined),
    });
    const server = connectTo({ name: 'web', url: remote.url }, { runtime: quickRuntime() });
    const tools = await server.listTools();
    const person = Promise.withResolvers<unknown>();
    const { context, questions } = createContext({ answer: async () => person.promise });
    const waiting = callTool(tools, '__ask', {}, { context });
    await expect.poll(() => questions).toHaveLength(1);
    refusals.push(404);
    expect(textOf(await callTool(tools, '__greet', { name: 'Ada' }))).toBe('Hello Ada');
    expect(remote.sessions.size).toBe(2);
    return { remote, server, tools, person, waiting };
  }

  it('is ended when its remaining calls have their answers', async () => {
    const { remote, server, tools, person, waiting } = await splitSession();
    person.resolve(true);
    expect(JSON.parse(textOf(await waiting))).toMatchObject({ action: 'accept' });
    expect(remote.sessions.size).toBe(1);
    expect(server.isConnected).toBe(true);
    expect(textOf(await callTool(tools, '__greet', { name: 'Grace' }))).toBe('Hello Grace');
    expect(remote.sessions.size).toBe(1);
  });

  it('is ended with the new one when the server is closed', async () => {
    const { remote, server, waiting } = await splitSession();
    const failed = waiting.catch((error: unknown) => error);
    await server.close();
    expect(remote.sessions.size).toBe(0);
    expect(await failed).toMatchObject({ code: 'MCP_CONNECTION_LOST' });
  });
});
