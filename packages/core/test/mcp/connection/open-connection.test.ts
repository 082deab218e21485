import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { getLogger } from '../../../src/logging/logger.js';
import { ActiveCalls } from '../../../src/mcp/calls/active-calls.js';
import { openConnection, type Connection } from '../../../src/mcp/connection/open-connection.js';
import { Secrets } from '../../../src/mcp/credentials/secrets.js';
import { parseServerOptions } from '../../../src/mcp/server-options.js';
import { systemRuntime } from '../../../src/runtime.js';
import { startHttpServer } from '../http-servers.js';

const hostile = {
  name: 'hostile',
  command: process.execPath,
  args: [join(import.meta.dirname, '../servers/hostile.mjs')],
};

/** Opens a connection that is closed when the test ends, and records the calls of `onEnd`. */
async function open(options: Parameters<typeof parseServerOptions>[0], signal: AbortSignal) {
  const [secrets, logger, ended] = [new Secrets(), getLogger('test'), [] as Connection[]];
  const calls = new ActiveCalls({ server: options.name, secrets, logger, runtime: systemRuntime });
  const config = parseServerOptions(options);
  const onEnd = (connection: Connection) => void ended.push(connection);
  const parts = { config, secrets, logger, wasStateless: false, calls, onToolsChanged: () => {}, onEnd };
  const connection = await openConnection(parts, signal);
  onTestFinished(async () => connection.close());
  return { connection, ended };
}

it('an open connection leaves no listener on the signal with which it was opened', async () => {
  const { signal } = new AbortController();
  await open(hostile, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it.each([
  ['a program', async () => hostile],
  ['a URL', async () => ({ name: 'web', url: (await startHttpServer()).url })],
])('the end of a connection to %s is reported once, however often it is closed', async (_what, server) => {
  const { connection, ended } = await open(await server(), new AbortController().signal);
  expect(connection.end).toBeUndefined();
  await Promise.all([connection.close(), connection.close()]);
  await connection.close();
  expect(ended).toEqual([connection]);
  expect(connection.end).toEqual(expect.any(String));
});

it('a session over HTTP is ended once, however often its connection is closed', async () => {
  const remote = await startHttpServer();
  const { connection } = await open({ name: 'web', url: remote.url }, new AbortController().signal);
  await Promise.all([connection.close(), connection.close()]);
  expect(remote.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

it('closing an abandoned connection keeps the reason why it ended', async () => {
  const { url } = await startHttpServer();
  const options = { name: 'web', url, maxMessageBytes: 100_000 };
  const { connection, ended } = await open(options, new AbortController().signal);
  await expect(connection.client.callTool({ name: 'large' })).rejects.toThrow();
  await connection.close();
  expect(connection.end).toBe('it sent a message of more than 100000 bytes (maxMessageBytes)');
  expect(ended).toEqual([connection]);
});

it('closing a connection reports its end at once, before its program has exited', async () => {
  const { connection, ended } = await open(hostile, new AbortController().signal);
  const closing = connection.close();
  expect(ended).toEqual([connection]);
  await closing;
});

it.each(['2025-11-25', 'serverInfo'])(
  'a credential may be the same as %j in the handshake',
  async (TOKEN) => {
    const { connection } = await open({ ...hostile, env: { TOKEN } }, new AbortController().signal);
    expect(connection.client.getServerVersion()).toMatchObject({ name: 'hostile' });
  },
);
