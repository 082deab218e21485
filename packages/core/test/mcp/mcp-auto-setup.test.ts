import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeLaunch, MCPAutoSetup } from '../../src/mcp/mcp-auto-setup.js';
import { parseAutoSetupOptions, type MCPAutoSetupOptions } from '../../src/mcp/server-options.js';
import { callTool, isAlive, textOf } from './mcp-doubles.js';

function setUp(options: MCPAutoSetupOptions): MCPAutoSetup {
  const server = new MCPAutoSetup(options);
  onTestFinished(async () => server.close());
  return server;
}

describe('MCPAutoSetup', () => {
  it.each<[Partial<MCPAutoSetupOptions>, string, string[]]>([
    [{ launcher: 'npx', package: '@x/server' }, 'npx', ['--yes', '@x/server', 'a']],
    [{ launcher: 'npx', package: '@x/server', version: '1.2.3' }, 'npx', ['--yes', '@x/server@1.2.3', 'a']],
    [
      { launcher: 'npx', package: '@x/server', version: '1.2.3', executable: 'serve' },
      'npx',
      ['--yes', '--package=@x/server@1.2.3', '--', 'serve', 'a'],
    ],
    [
      { launcher: 'uvx', package: 'mcp-server-time' },
      'uvx',
      ['--from', 'mcp-server-time', 'mcp-server-time', 'a'],
    ],
    [
      { launcher: 'uvx', package: 'mcp-server-time', version: '2.0', executable: 'serve' },
      'uvx',
      ['--from', 'mcp-server-time==2.0', 'serve', 'a'],
    ],
    [{ launcher: 'uvx', package: 'x', launcherPath: '/opt/uvx' }, '/opt/uvx', ['--from', 'x', 'x', 'a']],
  ])('with %j runs %s %j', (options, command, args) => {
    const config = parseAutoSetupOptions({ name: 'x', args: ['a'], ...options } as MCPAutoSetupOptions);
    expect(describeLaunch(config)).toMatchObject({ command, args, name: 'x', connectTimeoutMs: 120_000 });
  });

  it.each([
    { package: '--registry=http://evil' },
    { package: 'x; rm -rf /' },
    { version: '1 --unsafe' },
    { launcher: 'curl' },
    { command: 'x' },
  ])('refuses the options %j', (wrong) => {
    const options = { name: 'x', launcher: 'npx', package: 'x', ...wrong } as MCPAutoSetupOptions;
    expect(() => new MCPAutoSetup(options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }),
    );
  });

  it('runs a published package with npx until it is closed', async () => {
    const server = setUp({
      name: 'everything',
      launcher: 'npx',
      package: '@modelcontextprotocol/server-everything',
      version: '2026.8.31',
      cwd: join(import.meta.dirname, '../..'),
      tools: ['echo'],
    });
    const tools = await server.listTools();
    expect(textOf(await callTool(tools, 'everything__echo', { message: 'hello' }))).toBe('Echo: hello');
    expect(server.isConnected).toBe(true);
    await server.close();
    expect(server.isConnected).toBe(false);
  });

  it('runs a package with the program at launcherPath until its `await using` block ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-uvx-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const uvx = join(folder, 'uvx');
    const program = join(import.meta.dirname, 'servers/hostile.mjs');
    writeFileSync(uvx, `#!/bin/sh\nUVX_ARGS="$*" exec '${process.execPath}' '${program}' good\n`);
    chmodSync(uvx, 0o755);
    let pid = 0;
    {
      await using server = new MCPAutoSetup({
        name: 'time',
        launcher: 'uvx',
        package: 'mcp-server-time',
        version: '2.0',
        launcherPath: uvx,
        args: ['--utc'],
      });
      const result = JSON.parse(textOf(await callTool(await server.listTools(), 'time__do_it')));
      expect(result.env.UVX_ARGS).toBe('--from mcp-server-time==2.0 mcp-server-time --utc');
      pid = result.pid;
      expect(isAlive(pid)).toBe(true);
    }
    expect(isAlive(pid)).toBe(false);
  });

  it('fails with MCP_COMMAND_NOT_FOUND if the launcher is not on PATH', async () => {
    const server = setUp({
      name: 'time',
      launcher: 'uvx',
      package: 'mcp-server-time',
      env: { PATH: '/nowhere' },
    });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_COMMAND_NOT_FOUND' });
  });
});
