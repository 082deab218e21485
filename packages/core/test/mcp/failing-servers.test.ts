import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MCPError } from '../../src/mcp/errors.js';
import { ToolError } from '../../src/tools/errors.js';
import { quickRuntime } from '../quick-runtime.js';
import {
  callTool,
  connectTo,
  connectToHostile,
  createContext,
  guardsOf,
  isAlive,
  textOf,
} from './mcp-doubles.js';

const secret = 'sk-live-4711-secret';

describe('a failed call', () => {
  it.each([
    ['rpc_error', 'MCP_INVALID_PARAMS', -32602],
    ['own_error', 'MCP_SERVER_ERROR', 77],
  ])('has the code of the server’s error and no secrets: %s, %s', async (mode, code, rpcCode) => {
    const tools = await connectToHostile(mode, { env: { SERVER_KEY: secret } }).listTools();
    const error: unknown = await callTool(tools, '__do_it').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MCPError);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ code, rpcCode, details: { server: 'hostile', rpc_code: rpcCode } });
    expect(String(error)).not.toContain(secret);
  });

  it('is a protocol violation if the result is malformed', async () => {
    const tools = await connectToHostile('not_a_result').listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_PROTOCOL_VIOLATION' });
  });
});

describe('a server with an unsupported protocol version', () => {
  it('is reported as a protocol violation, after its process has ended', async () => {
    const error: unknown = await connectToHostile('old')
      .connect()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MCP_PROTOCOL_VIOLATION', isRetryable: false });
    const [, pid] = /1999-01-01 of (\d+)/.exec(String(Object(error).cause)) ?? [];
    expect([Number(pid) > 0, isAlive(Number(pid))]).toEqual([true, false]);
  });
});

describe('a server process', () => {
  it('that exits at startup is reported with its code, and with a redacted stderr that is not in the JSON', async () => {
    const server = connectToHostile('dies_at_start', { env: { SERVER_KEY: secret } });
    const error: unknown = await server.listTools().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('exited with code 2'),
    });
    expect(error).toMatchObject({ stderr: 'cannot read configuration, key {_{SERVER_KEY}_}' });
    expect(JSON.stringify(error)).not.toContain('configuration');
  });

  it('that exits during a call fails the call, and is restarted with growing delays', async () => {
    const runtime = quickRuntime();
    const reconnect = { baseMs: 5_000, maxDelayMs: 8_000 };
    const server = connectToHostile('crash', { reconnect }, { runtime });
    const tools = await server.listTools();
    for (let call = 0; call < 4; call += 1) {
      await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
        code: 'MCP_CONNECTION_LOST',
        message: expect.stringMatching(/exited with code 3.*may have taken effect/),
        isRetryable: false,
        details: { outcome: 'unknown' },
      });
      expect(server.isConnected).toBe(false);
    }
    // No process lived long, so each delay is longer than the last, up to the maximum.
    expect(runtime.sleeps.map((sleepMs) => Math.ceil(sleepMs / 1_000))).toEqual([5, 8, 8]);
  });

  it('that is killed is reported with the signal', async () => {
    const tools = await connectToHostile('killed').listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('was killed by SIGKILL'),
    });
  });

  it('that stops reading its input fails the next call, and is restarted', async () => {
    const server = connectToHostile('stops_reading', {}, { runtime: quickRuntime() });
    const tools = await server.listTools();
    expect(textOf(await callTool(tools, '__do_it'))).toBe('last words');
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    await expect.poll(() => server.isConnected).toBe(false);
    expect(textOf(await callTool(tools, '__do_it'))).toBe('last words');
  });

  it('that exits is reported even if a detached child process holds its output open', async () => {
    const server = connectToHostile('leaves_heir', {}, { runtime: quickRuntime() });
    const { context, lines } = createContext();
    await expect(callTool(await server.listTools(), '__do_it', {}, { context })).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('exited with code 3'),
    });
    expect(server.isConnected).toBe(false);
    const heir = Number(lines[0]?.message);
    expect(isAlive(heir)).toBe(true);
    process.kill(heir);
  });

  it('that has exited is not sent another call, which waits for its successor, while its output is open', async () => {
    const server = connectToHostile('leaves_heir', {}, { runtime: quickRuntime() });
    const tools = await server.listTools();
    const { context, lines } = createContext();
    const ends: string[] = [];
    const call = async (name: string) =>
      callTool(tools, '__do_it', {}, { context }).catch(({ message }: Error) =>
        ends.push(`${name} ${message}`),
      );
    const first = call('first');
    await expect.poll(() => server.isConnected).toBe(false);
    await Promise.all([first, call('second')]);
    for (const { message } of lines) process.kill(Number(message));
    expect(ends).toEqual([
      expect.stringMatching(/^first .*exited with code 3/),
      expect.stringMatching(/^second .*exited with code 3/),
    ]);
    expect(lines).toHaveLength(2);
  });

  it('that cannot be restarted is tried up to maxAttempts times per call, with growing delays', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
    const program = join(folder, 'server.mjs');
    copyFileSync(join(import.meta.dirname, 'servers/hostile.mjs'), program);
    const runtime = quickRuntime();
    const options = {
      name: 'gone',
      command: process.execPath,
      args: [program, 'crash'],
      reconnect: { maxAttempts: 3 },
    };
    const server = connectTo(options, { runtime });
    const tools = await server.listTools();
    rmSync(folder, { recursive: true });
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      message: expect.stringContaining('code 3'),
    });
    for (const waits of [3, 6]) {
      await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
        message: expect.stringContaining('code 1'),
      });
      expect(runtime.sleeps).toHaveLength(waits);
    }
    expect(runtime.sleeps).toEqual(runtime.sleeps.toSorted((one, other) => one - other));
  });

  it('whose working directory does not exist is reported with its path', async () => {
    const server = connectToHostile('good', { cwd: '/no/such/folder' });
    await expect(server.connect()).rejects.toMatchObject({
      code: 'MCP_COMMAND_NOT_FOUND',
      message: expect.stringContaining("'/no/such/folder'"),
    });
  });

  it('whose command does not exist is reported with the command', async () => {
    const server = connectTo({ name: 'missing', command: '/no/such/program' });
    await expect(server.connect()).rejects.toMatchObject({
      code: 'MCP_COMMAND_NOT_FOUND',
      message: expect.stringContaining("'/no/such/program'"),
    });
  });
});

it('connect and listTools refuse unknown options before they connect, and treat null as no options', async () => {
  const server = connectTo({ name: 'missing', command: '/no/such/program' });
  const refused = { code: 'CONFIG_UNKNOWN_OPTION', message: expect.stringContaining("'sgnal'") };
  await expect(server.connect({ sgnal: 1 } as object)).rejects.toMatchObject(refused);
  await expect(server.listTools({ sgnal: 1 } as object)).rejects.toMatchObject(refused);
  // Null means no options.
  await expect(server.connect(null as never)).rejects.toMatchObject({ code: 'MCP_COMMAND_NOT_FOUND' });
});

describe('a server that hangs', () => {
  it('times out if it does not respond to its initialization', async () => {
    const server = connectToHostile('mute', { connectTimeoutMs: 300 });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_TIMEOUT', isRetryable: true });
    expect(server.isConnected).toBe(false);
  });

  it('times out if it does not list its tools, with a message that says so', async () => {
    const server = connectToHostile('lists_nothing', { connectTimeoutMs: 3_000 });
    await server.connect({ signal: null } as object);
    await expect(server.listTools({ signal: null } as object)).rejects.toMatchObject({
      code: 'MCP_TIMEOUT',
      message: "The MCP server 'hostile' did not respond in time while listing its tools.",
      isRetryable: true,
    });
  });

  it('fails the call after callTimeoutMs, and is notified of the cancellation', async () => {
    const server = connectToHostile('hang', { callTimeoutMs: 100, args: ['tell'] });
    const tools = await server.listTools();
    const { context, lines } = createContext();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      code: 'MCP_TIMEOUT',
      message: expect.stringContaining('was silent for 100 ms'),
      isRetryable: false,
      details: { outcome: 'unknown' },
    });
    const next = callTool(tools, '__do_it', {}, { context });
    await expect
      .poll(() => lines.map(({ message }) => message))
      .toContainEqual(expect.stringContaining('cancelled'));
    await expect(next).rejects.toMatchObject({ code: 'MCP_TIMEOUT' });
  });

  it('fails the call after maxCallMs, even if it keeps reporting progress', async () => {
    const tools = await connectToHostile('talks', { callTimeoutMs: 200, maxCallMs: 600 }).listTools();
    const { context, progress } = createContext();
    await expect(callTool(tools, '__do_it', {}, { context })).rejects.toMatchObject({
      code: 'MCP_TIMEOUT',
      message: expect.stringContaining('took more than 600 ms'),
    });
    expect(progress.length).toBeGreaterThan(5);
  });

  it('is notified of a cancelled call, while another call continues', async () => {
    const tools = await connectToHostile('waits_for_cancel', { args: ['tell'] }).listTools();
    const stop = new AbortController();
    const { context, lines } = createContext({ runId: 'run-2' });
    const messages = () => lines.map(({ message }) => message);
    const other = callTool(tools, '__do_it', {}, { context }).catch((error: unknown) => error);
    await expect.poll(messages).toEqual(['received']);
    const stopped = createContext({ signal: stop.signal }).context;
    const call = callTool(tools, '__do_it', {}, { context: stopped });
    await expect.poll(messages).toEqual(['received', 'received']);
    stop.abort(new Error('the run ended'));
    await expect(call).rejects.toThrow('the run ended');
    await expect.poll(messages).toContainEqual(expect.stringContaining('"requestId"'));
    expect(await Promise.race([other, 'still waiting'])).toBe('still waiting');
  });

  it('is killed with its child processes on close() if it ignores SIGTERM', async () => {
    const server = connectToHostile('deaf_family');
    const { pid, child } = JSON.parse(textOf(await callTool(await server.listTools(), '__do_it')));
    expect([pid, child].map(isAlive)).toEqual([true, true]);
    const [guard = 0] = guardsOf(pid);
    expect(isAlive(guard)).toBe(true);
    await server.close();
    await expect.poll(() => isAlive(guard)).toBe(false);
    expect([pid, child].map(isAlive)).toEqual([false, false]);
    // Not even an entry of the group is left in the process table.
    expect(() => process.kill(-pid, 0)).toThrow('ESRCH');
    await server.close();
  });
});

describe('a server that floods its output', () => {
  it('still answers, and excess log lines and progress reports are dropped', async () => {
    const tools = await connectToHostile('flood').listTools();
    const { context, lines, progress } = createContext();
    expect(textOf(await callTool(tools, '__do_it', {}, { context }))).toBe('survived');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(1_000);
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.length).toBeLessThan(500);
  });

  it('is told that a question of many faults is declined, and nobody is asked', async () => {
    const { context, questions } = createContext();
    const tools = await connectToHostile('asks_wrongly').listTools();
    const result = await callTool(tools, '__do_it', {}, { context });
    expect([textOf(result), questions]).toEqual(['{"action":"decline"}', []]);
  });

  it('is refused a question in a mode that was not declared, and nobody is asked', async () => {
    const { context, questions } = createContext();
    const tools = await connectToHostile('asks_for_visit').listTools();
    const result = await callTool(tools, '__do_it', {}, { context });
    expect([textOf(result), questions]).toEqual(['-32602', []]);
  });

  it('is disconnected if a message exceeds maxMessageBytes', async () => {
    const tools = await connectToHostile('huge', { maxMessageBytes: 100_000 }).listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('a message of more than 100000 bytes (maxMessageBytes)'),
    });
  });

  it('is disconnected for many lines that are not messages, but not for a few or empty ones', async () => {
    const tools = await connectToHostile('garbage').listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      message: expect.stringContaining('lines that are not messages'),
    });
    expect(textOf(await callTool(await connectToHostile('babble').listTools(), '__do_it'))).toBe('fine');
  });
});

describe('an MCPServer', () => {
  it('cannot be used after close(), which also ends a pending connect()', async () => {
    const server = connectToHostile('mute');
    expect(server.isConnected).toBe(false);
    const connecting = server.connect().catch((error: unknown) => error);
    await server.close();
    expect(await connecting).toMatchObject({ code: 'MCP_CLOSED' });
    await expect(server.listTools()).rejects.toMatchObject({ code: 'MCP_CLOSED' });
  });

  it('fails its running calls when it is closed', async () => {
    const server = connectToHostile('waits_for_cancel');
    const tools = await server.listTools();
    const { context, lines } = createContext();
    const call = callTool(tools, '__do_it', {}, { context }).catch((error: unknown) => error);
    await expect.poll(() => lines).toHaveLength(1);
    await server.close();
    expect(await call).toMatchObject({ code: 'MCP_CONNECTION_LOST' });
  });

  it('keeps connecting for other callers when one of them aborts', async () => {
    const server = connectToHostile('good');
    const stop = new AbortController();
    const aborted = server.connect({ signal: stop.signal });
    const other = server.connect();
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(other).resolves.toBeUndefined();
  });

  it('does not include its environment in its JSON', () => {
    const server = connectToHostile('good', { env: { SERVER_KEY: secret } });
    expect(JSON.stringify(server)).toBe('{"name":"hostile","isConnected":false}');
  });
});
