import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { quickRuntime } from '../../quick-runtime.js';
import { dependsOnPrivateData } from '../../../src/decorators/depends-on.js';
import type { Tool } from '../../../src/tools/tool.js';
import { callTool, catchLog, connectToHostile, textOf, toolNamed } from '../mcp-doubles.js';

describe('a server that lies about its tools', () => {
  it('keeps only the tools that can be used, and every other is named in the log', async () => {
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

  it('cannot hang this process by a pattern in a schema, or break it by a schema that does not compile', async () => {
    const tools = await connectToHostile('lies').listTools();
    const args = { a: `${'a'.repeat(40)}!` };
    expect(textOf(await callTool(tools, '__slow_pattern', args))).toBe('ok');
    expect(textOf(await callTool(tools, '__uncompilable', { a: 1 }))).toBe('ok');
  });

  it('is caught when a result breaks the schema that was promised', async () => {
    const tools = await connectToHostile('lies').listTools();
    await expect(callTool(tools, '__lying')).rejects.toMatchObject({
      code: 'MCP_OUTPUT_INVALID',
      message: expect.stringContaining('data/n must be number'),
    });
    await expect(callTool(tools, '__empty')).rejects.toMatchObject({ code: 'MCP_OUTPUT_INVALID' });
  });

  it('is told of once when the schema of its results cannot be used, however often it is called', async () => {
    const log = catchLog();
    const tools = await connectToHostile('lies').listTools();
    await callTool(tools, '__strange');
    await callTool(tools, '__strange');
    expect(log.filter(({ message }) => message.includes('schema that cannot be used'))).toHaveLength(1);
  });

  it('is asked page by page, but not for ever', async () => {
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
  ])('is believed in %i of three tools, and more are told of in the log', async (maxTools, names, told) => {
    const log = catchLog();
    const tools = await connectToHostile('three', { maxTools, prefix: '' }).listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(log.map(({ message }) => message)).toEqual(told);
  });

  it('may say null for what it does not say', async () => {
    const tools = await connectToHostile('nulls', { prefix: '' }).listTools();
    expect(tools).toMatchObject([{ name: 'nulls', description: 'nulls' }]);
  });

  it('is waited for no longer than wanted when it lists none', async () => {
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
    'is of use although it cannot choose what it logs: %s',
    async (mode) => {
      const tools = await connectToHostile(mode).listTools();
      expect(JSON.parse(textOf(await callTool(tools, '__do_it')))).not.toHaveProperty('level');
    },
  );

  it('is asked again when it says that its tools have changed', async () => {
    const server = connectToHostile('changes');
    const before = await server.listTools();
    expect(before.map(({ name }) => name)).toEqual(['hostile__before']);
    await callTool(before, '__before');
    await expect
      .poll(async () => (await server.listTools()).map(({ name }) => name))
      .toEqual(['hostile__after']);
    expect(textOf(await callTool(before, '__before'))).toBe('changed');
  });

  it('is asked again when they changed while it was asked', async () => {
    const server = connectToHostile('changes_meanwhile');
    for (const listing of [1, 2])
      expect((await server.listTools()).map(({ name }) => name)).toEqual([`hostile__of_listing_${listing}`]);
  });

  it('is asked again when it was started anew, and else not', async () => {
    const server = connectToHostile('crash', {}, { runtime: quickRuntime() });
    const tools = await server.listTools();
    expect(await server.listTools()).toBe(tools);
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_CONNECTION_LOST' });
    expect(await server.listTools()).not.toBe(tools);
  });
});

describe('what a server is told and asked', () => {
  const properties = (tools: readonly Tool[]) =>
    Object.keys(toolNamed(tools, '__search').inputSchema['properties'] ?? {});
  const argsOf = (result: unknown) => JSON.parse(textOf(result)).args;

  it('arguments named like credentials are neither seen nor filled by a planner', async () => {
    const tools = await connectToHostile('credentials').listTools();
    expect(properties(tools)).toEqual(['page_token', 'q']);
    expect(toolNamed(tools, '__search').inputSchema['required']).toEqual(['q']);
    await expect(callTool(tools, '__search', { api_key: 'made up', q: 'x' })).rejects.toThrow(/api_key/);
  });

  it('a credential comes from a default or is injected, whatever a planner says', async () => {
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

  it('an argument is shown all the same when it is named', async () => {
    const tools = await connectToHostile('credentials', { exposeArguments: ['api_key'] }).listTools();
    expect(properties(tools)).toEqual(['api_key', 'page_token', 'q']);
    expect(argsOf(await callTool(tools, '__search', { api_key: 'planned', q: 'x' }))).toMatchObject({
      api_key: 'planned',
    });
  });

  it('it runs in its folder, logs at its level, and gives results up to their limit', async () => {
    const cwd = realpathSync(tmpdir());
    const tools = await connectToHostile('good', {
      cwd,
      logLevel: 'warning',
      maxResultBytes: 77,
    }).listTools();
    expect(JSON.parse(textOf(await callTool(tools, '__do_it')))).toMatchObject({ cwd, level: 'warning' });
    expect(toolNamed(tools, '__do_it').maxResultBytes).toBe(77);
  });

  it('is not called more often than its rate limit says', async () => {
    const rateLimit = { maxCalls: 1, perMs: 60_000, maxWaiting: 0 };
    const tools = await connectToHostile('good', { rateLimit }).listTools();
    await callTool(tools, '__do_it');
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({ code: 'MCP_RATE_LIMITED' });
  });
});
