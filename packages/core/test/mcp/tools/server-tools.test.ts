import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { quickRuntime } from '../../quick-runtime.js';
import { dependsOnPrivateData } from '../../../src/decorators/depends-on.js';
import type { Tool } from '../../../src/tools/declaration/tool.js';
import { callTool, catchLog, connectToHostile, textOf, toolNamed } from '../mcp-doubles.js';

describe('MCPServer', () => {
  it('ignores unusable tools and names them in the log', async () => {
    const log = catchLog();
    const tools = await connectToHostile('lies').listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'hostile__good',
      'hostile__uncompilable',
      'hostile__slow_pattern',
      'hostile__lying',
      'hostile__empty',
      'hostile__constructor',
      'hostile__strange',
    ]);
    expect(
      log
        .filter(({ message }) => message.includes('tool of an MCP server is ignored'))
        .map(({ fields }) => fields['tool']),
    ).toEqual([
      'good',
      'no_schema',
      'not_object',
      'bad_properties',
      'huge',
      undefined,
      undefined,
      'task_only',
    ]);
    expect(toolNamed(tools, '__lying').permissions.toList()).toEqual(['write']);
  });

  it('does not hang on a pattern in a schema, and calls a tool whose schema cannot be compiled', async () => {
    const tools = await connectToHostile('lies').listTools();
    const args = { a: `${'a'.repeat(40)}!` };
    expect(textOf(await callTool(tools, '__slow_pattern', args))).toBe('ok');
    expect(textOf(await callTool(tools, '__uncompilable', { a: 1 }))).toBe('ok');
  });

  it('fails a call whose result violates the output schema', async () => {
    const tools = await connectToHostile('lies').listTools();
    await expect(callTool(tools, '__lying')).rejects.toMatchObject({
      code: 'MCP_OUTPUT_INVALID',
      server: 'hostile',
      message: expect.stringContaining('data/n must be number'),
    });
    await expect(callTool(tools, '__empty')).rejects.toMatchObject({ code: 'MCP_OUTPUT_INVALID' });
  });

  it('logs an unusable output schema once, however often the tool is called', async () => {
    const log = catchLog();
    const tools = await connectToHostile('lies').listTools();
    await callTool(tools, '__strange');
    await callTool(tools, '__strange');
    expect(log.filter(({ message }) => message.includes('schema that cannot be used'))).toHaveLength(1);
  });

  it('lists tools page by page, up to a cycle, maxTools or 200 pages', async () => {
    expect((await connectToHostile('pages').listTools()).map(({ name }) => name)).toEqual(
      [0, 1, 2, 3].map((page) => `hostile__page_${page}`),
    );
    expect(await connectToHostile('circle').listTools()).toHaveLength(3);
    expect(await connectToHostile('endless', { maxTools: 7 }).listTools()).toHaveLength(7);
    expect(await connectToHostile('endless', { maxTools: 5_000 }).listTools()).toHaveLength(200);
  });

  it.each([
    [2, ['one', 'two'], ['An MCP server has more tools than maxTools; the rest is ignored.']],
    [3, ['one', 'two', 'three'], []],
  ])(
    'with a maxTools of %i and a server with three tools offers %j and logs %j',
    async (maxTools, names, logged) => {
      const log = catchLog();
      const tools = await connectToHostile('three', { maxTools, prefix: '' }).listTools();
      expect(tools.map(({ name }) => name)).toEqual(names);
      expect(log.map(({ message }) => message)).toEqual(logged);
    },
  );

  it('ignores the rest of a list in which too many tools cannot be used, and logs a limited number', async () => {
    const log = catchLog();
    const tools = await connectToHostile('malformed', { prefix: '' }).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['good_0']);
    expect(log).toHaveLength(101);
    expect(log.at(-1)?.message).toContain('the rest is ignored');
  });

  it('accepts null for the optional fields of a tool', async () => {
    const tools = await connectToHostile('nulls', { prefix: '' }).listTools();
    expect(tools).toMatchObject([{ name: 'nulls', description: 'nulls' }]);
  });

  it('rejects a listing with the reason of its aborted signal', async () => {
    const server = connectToHostile('lists_nothing', { connectTimeoutMs: 600_000 });
    await server.connect();
    const stop = new AbortController();
    const reason = new Error('enough');
    const listing = server.listTools({ signal: stop.signal });
    stop.abort(reason);
    await expect(listing).rejects.toBe(reason);
    await expect(server.listTools({ signal: stop.signal })).rejects.toBe(reason);
  });

  it.each(['no_levels', 'null_level'])(
    'works even if the server cannot set its log level: %s',
    async (mode) => {
      const tools = await connectToHostile(mode).listTools();
      expect(JSON.parse(textOf(await callTool(tools, '__do_it')))).not.toHaveProperty('level');
    },
  );

  it('lists the tools again after a notification that they have changed', async () => {
    const server = connectToHostile('changes');
    const before = await server.listTools();
    expect(before.map(({ name }) => name)).toEqual(['hostile__before']);
    await callTool(before, '__before');
    await expect
      .poll(async () => (await server.listTools()).map(({ name }) => name))
      .toEqual(['hostile__after']);
    expect(textOf(await callTool(before, '__before'))).toBe('changed');
  });

  it('lists the tools again if they change during a listing', async () => {
    const server = connectToHostile('changes_meanwhile');
    for (const listing of [1, 2])
      expect((await server.listTools()).map(({ name }) => name)).toEqual([`hostile__of_listing_${listing}`]);
  });

  it('lists the tools again only after the server is restarted', async () => {
    const server = connectToHostile('crash', {}, { runtime: quickRuntime() });
    const tools = await server.listTools();
    expect(await server.listTools()).toBe(tools);
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    expect(await server.listTools()).not.toBe(tools);
  });
});

describe('calls of a server’s tools', () => {
  const properties = (tools: readonly Tool[]) =>
    Object.keys(toolNamed(tools, '__search').inputSchema['properties'] ?? {});
  const argsOf = (result: unknown) => JSON.parse(textOf(result)).args;

  it('do not let the planner see or fill arguments named like credentials', async () => {
    const tools = await connectToHostile('credentials').listTools();
    expect(properties(tools)).toEqual(['page_token', 'q']);
    expect(toolNamed(tools, '__search').inputSchema['required']).toEqual(['q']);
    await expect(callTool(tools, '__search', { api_key: 'made up', q: 'x' })).rejects.toThrow(/api_key/);
  });

  it('take credentials from defaults or injection, whatever the planner sends', async () => {
    const byDefault = await connectToHostile('credentials', {
      defaultArgs: { api_key: 'default' },
    }).listTools();
    expect(argsOf(await callTool(byDefault, '__search', { api_key: 'made up', q: 'x' }))).toEqual({
      api_key: 'default',
      q: 'x',
    });
    const inject = { api_key: dependsOnPrivateData('key') };
    const injecting = await connectToHostile('credentials', { inject }).listTools();
    const injected = { api_key: 'from the vault' };
    expect(
      argsOf(await callTool(injecting, '__search', { api_key: 'made up', q: 'x' }, { injected })),
    ).toEqual({ ...injected, q: 'x' });
  });

  it('let the planner see and fill an argument named like a credential if it is in exposeArguments', async () => {
    const tools = await connectToHostile('credentials', { exposeArguments: ['api_key'] }).listTools();
    expect(properties(tools)).toEqual(['api_key', 'page_token', 'q']);
    expect(argsOf(await callTool(tools, '__search', { api_key: 'planned', q: 'x' }))).toMatchObject({
      api_key: 'planned',
    });
  });

  it('use the configured working directory, log level and maxResultBytes', async () => {
    const cwd = realpathSync(tmpdir());
    const tools = await connectToHostile('good', {
      cwd,
      logLevel: 'warning',
      maxResultBytes: 77,
    }).listTools();
    expect(JSON.parse(textOf(await callTool(tools, '__do_it')))).toMatchObject({ cwd, level: 'warning' });
    expect(toolNamed(tools, '__do_it').maxResultBytes).toBe(77);
  });

  it('fail when they exceed the rate limit', async () => {
    const rateLimit = { maxCalls: 1, perMs: 60_000, maxWaiting: 0 };
    const tools = await connectToHostile('good', { rateLimit }).listTools();
    await callTool(tools, '__do_it');
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_RATE_LIMITED' });
  });
});
