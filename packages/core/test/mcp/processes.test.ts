import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, connectTo, createContext, guardsOf, isAlive, textOf } from './mcp-doubles.js';

const core = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'));
const bundles = join(folder, 'dist');
const hostile = join(import.meta.dirname, 'servers/hostile.mjs');

beforeAll(async () => {
  // The bundles read the package's version from the parent folder, and find unbundled dependencies there.
  copyFileSync(join(core, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(core, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await build({
    entryPoints: ['leaver', 'stdio-service'].map((name) => join(import.meta.dirname, `processes/${name}.ts`)),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // As packages are built: Node 22 cannot parse `await using`.
    target: 'es2023',
    external: ['@modelcontextprotocol/*', 'cross-spawn', 'dotenv', 'undici'],
    platform: 'node',
    format: 'esm',
    conditions: ['@svc/source'],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a process that exits without closing its servers', () => {
  it.each([
    ['exit', 0],
    ['throw', 1],
    ['nothing left to do', 0],
  ])('(%s) leaves none of their processes behind, even if they ignore SIGTERM', async (how, code) => {
    const args = [join(bundles, 'leaver.mjs'), how, process.execPath, hostile, 'deaf_family'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(exitCode).toBe(code);
    const { pid, child: grandchild } = JSON.parse(textOf(JSON.parse(output)));
    await expect.poll(() => [pid, grandchild].map(isAlive)).toEqual([false, false]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    '(killed by %s) leaves neither their processes nor their guard behind',
    async (signal) => {
      const args = [join(bundles, 'leaver.mjs'), signal, process.execPath, hostile, 'deaf_family'];
      const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      const [output] = await once(createInterface({ input: child.stdout }), 'line');
      const { pid, child: grandchild } = JSON.parse(textOf(JSON.parse(String(output))));
      const [guard, ...more] = guardsOf(pid);
      expect(more).toEqual([]);
      // Like a terminal, kills the whole group.
      process.kill(-Number(child.pid), signal);
      await once(child, 'exit');
      const left = () => [pid, grandchild, Number(guard)].filter(isAlive);
      await expect.poll(left).toEqual([]);
    },
  );
});

it('a server that crashes leaves neither its child processes nor an exit listener in this process', async () => {
  const listeners = process.listenerCount('exit');
  const server = connectTo({ name: 'hostile', command: process.execPath, args: [hostile, 'leaves_family'] });
  const { context, lines } = createContext();
  const tools = await server.listTools();
  expect(process.listenerCount('exit')).toBe(listeners + 1);
  await expect(callTool(tools, '__do_it', {}, { context })).rejects.toMatchObject({
    code: 'MCP_CONNECTION_LOST',
  });
  await expect.poll(() => isAlive(Number(lines[0]?.message))).toBe(false);
  await expect.poll(() => process.listenerCount('exit')).toBe(listeners);
});

it('a stdio service serves its client, and notifies it of new tools, until the client closes', async () => {
  const args = [join(bundles, 'stdio-service.mjs')];
  const server = connectTo({ name: 'calculator', command: process.execPath, args });
  const tools = await server.listTools();
  const offered = ['add', 'confirm', 'hang', 'close'].map((name) => `calculator__${name}`);
  expect(tools.map(({ name, idempotent }) => [name, idempotent])).toMatchObject(
    offered.map((name) => [name, name.endsWith('add')]),
  );
  expect(textOf(await callTool(tools, '__add', { a: 2, b: 40 }))).toBe('42');
  await expect
    .poll(async () => (await server.listTools()).map(({ name }) => name))
    .toEqual([...offered, 'calculator__add_2']);
  const { context, questions } = createContext({ answer: () => true });
  expect(textOf(await callTool(tools, '__confirm', {}, { context }))).toBe('true');
  expect(questions).toMatchObject([{ prompt: expect.stringContaining('Sure?') }]);
  await server.close();
  expect(server.isConnected).toBe(false);
});

/** Creates a client of the official library that can ask a person. */
const createClient = (mode: VersionNegotiationMode) =>
  new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );

/** Connects a client to a stdio service of its own; returns what that writes to standard error until it ends. */
async function connectToService(client: Client): Promise<{ text: Promise<string> }> {
  const args = [join(bundles, 'stdio-service.mjs')];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const stderr = text(transport.stderr as Readable);
  await client.connect(transport);
  return { text: stderr };
}

it.each(['auto', { pin: '2026-07-28' }] as const)(
  'a stdio service serves a client without sessions in the same way (version: %j)',
  async (mode) => {
    const client = createClient(mode);
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { sure: true } }));
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    const stderr = await connectToService(client);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const subscription = await client.listen({ toolsListChanged: true });
    expect(await client.callTool({ name: 'add', arguments: { a: 2, b: 40 } })).toMatchObject({
      content: [{ text: '42' }],
    });
    await expect.poll(() => changes).toBe(1);
    expect(await client.callTool({ name: 'confirm' })).toMatchObject({ content: [{ text: 'true' }] });
    await subscription.close();
    const stop = new AbortController();
    const hanging = client.callTool({ name: 'hang' }, { signal: stop.signal });
    const asking = client.callTool({ name: 'confirm' });
    expect(await asking).toMatchObject({ content: [{ text: 'true' }] });
    stop.abort(new Error('no longer needed'));
    await expect(hanging).rejects.toThrow('no longer needed');
    await client.close();
    expect(await stderr.text).toContain('hung up\nthe client left');
  },
);

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'a stdio service that is closed answers the running calls of its client (version: %j)',
  async (mode) => {
    const client = createClient(mode);
    await connectToService(client);
    await expect(client.callTool({ name: 'close' })).rejects.toMatchObject({ code: -32000 });
    await client.close();
  },
);

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'a stdio service ends the calls that wait for an answer when its client has disconnected (version: %j)',
  async (mode) => {
    const client = createClient(mode);
    client.setRequestHandler('elicitation/create', async () => {
      await client.close();
      return { action: 'cancel' };
    });
    const stderr = await connectToService(client);
    await expect(client.callTool({ name: 'confirm' })).rejects.toThrow();
    expect(await stderr.text).toContain('confirm ended\n');
  },
);

it('serveStdio() returns when its client has disconnected, and its process continues', async () => {
  const child = spawn(process.execPath, [join(bundles, 'stdio-service.mjs')]);
  const exited = once(child, 'exit');
  child.stdin.end();
  const stderr = await text(child.stderr);
  expect([stderr, await exited]).toEqual([expect.stringContaining('the client left'), [0, null]]);
});
