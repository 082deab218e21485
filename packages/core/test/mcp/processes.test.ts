import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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
  expect(tools.map(({ name, idempotent }) => [name, idempotent])).toEqual([['calculator__add', true]]);
  expect(textOf(await callTool(tools, '__add', { a: 2, b: 40 }))).toBe('42');
  await expect
    .poll(async () => (await server.listTools()).map(({ name }) => name))
    .toEqual(['calculator__add', 'calculator__add_2']);
  await server.close();
  expect(server.isConnected).toBe(false);
});

it('serveStdio() returns when its client has disconnected, and its process continues', async () => {
  const child = spawn(process.execPath, [join(bundles, 'stdio-service.mjs')]);
  const exited = once(child, 'exit');
  child.stdin.end();
  const stderr = await text(child.stderr);
  expect([stderr, await exited]).toEqual([expect.stringContaining('the client left'), [0, null]]);
});
