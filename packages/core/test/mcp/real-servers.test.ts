import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { MCPServer } from '../../src/mcp/mcp-server.js';
import type { Tool } from '../../src/tools/declaration/tool.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';
import {
  callTool,
  catchLog,
  connectTo,
  createContext,
  findServer,
  textOf,
  toolNamed,
} from './mcp-doubles.js';

function everything(more: Partial<Parameters<typeof connectTo>[0]> = {}) {
  const args = [findServer('@modelcontextprotocol/server-everything')];
  return connectTo({ name: 'everything', command: process.execPath, args, ...more } as Parameters<
    typeof connectTo
  >[0]);
}

describe('MCPServer with the everything server', () => {
  let shared: MCPServer;
  let tools: readonly Tool[];

  beforeAll(async () => {
    const args = [findServer('@modelcontextprotocol/server-everything')];
    shared = new MCPServer({ name: 'everything', command: process.execPath, args });
    tools = await shared.listTools();
  });
  afterAll(async () => shared.close());

  it('connects when the tools are first listed, and asks for them only once', async () => {
    expect(shared.isConnected).toBe(true);
    expect(await shared.listTools()).toBe(tools);
    expect(tools.map(({ name }) => name)).toContain('everything__echo');
    expect(toolNamed(tools, '__get_sum')).toMatchObject({
      kind: 'mcp',
      description: expect.stringMatching(/sum/i),
      tags: ['mcp', 'mcp:everything', 'read'],
      idempotent: true,
      metadata: { mcp_server: 'everything', mcp_tool_name: 'get-sum', annotations: { readOnlyHint: true } },
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] },
    });
  });

  it('returns text, images and structured content from tools', async () => {
    expect(await callTool(tools, '__echo', { message: 'hello' })).toEqual({
      is_error: false,
      content: [{ type: 'text', text: 'Echo: hello' }],
    });
    expect(textOf(await callTool(tools, '__get_sum', { a: 2, b: 40 }))).toContain('42');
    expect(await callTool(tools, '__get_tiny_image')).toMatchObject({
      content: [{}, { type: 'image', mimeType: 'image/png' }, {}],
    });
    expect(await callTool(tools, '__get_structured_content', { location: 'Chicago' })).toMatchObject({
      is_error: false,
      structured_content: { temperature: expect.any(Number) },
    });
  });

  it('validates arguments against the server’s schemas', async () => {
    await expect(callTool(tools, '__get_sum', { a: 'two', b: 1 })).rejects.toThrow(
      'invalid: data/a must be number',
    );
  });

  it('returns results that the server marks as errors, or throws with raiseToolErrors', async () => {
    const args = { resourceType: 'Text', resourceId: -1 };
    expect(await callTool(tools, '__get_resource_reference', args)).toMatchObject({ is_error: true });
    const strict = await everything({ raiseToolErrors: true }).listTools();
    await expect(callTool(strict, '__get_resource_reference', args)).rejects.toMatchObject({
      code: 'MCP_TOOL_FAILED',
    });
  });

  it('reports the server’s progress in order', async () => {
    const { context, progress } = createContext();
    await callTool(tools, '__trigger_long_running_operation', { duration: 0.2, steps: 4 }, { context });
    expect(progress.map((report) => [report.progress, report.total])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
  });

  it('forwards the server’s questions to a person', async () => {
    const answers: Record<string, unknown> = {
      name: 'Ada',
      check: true,
      firstLine: 'x',
      email: 'ada@example.com',
    };
    const { context, questions } = createContext({
      answer: ({ name, choices }) => answers[name] ?? choices?.[0] ?? 7,
    });
    const result = await callTool(tools, '__trigger_elicitation_request', {}, { context });
    expect(questions[0]).toMatchObject({
      name: 'name',
      inputType: 'text',
      prompt: expect.stringContaining("'everything' asks"),
    });
    expect(JSON.stringify(result)).toContain('Ada');
  });

  it('passes only env, inheritEnv and the variables that every program needs', async () => {
    process.env['SVC_TEST_SECRET'] = 'not-for-servers';
    process.env['SVC_TEST_SHARED'] = 'shared';
    onTestFinished(() => {
      delete process.env['SVC_TEST_SECRET'];
      delete process.env['SVC_TEST_SHARED'];
    });
    const tools = await everything({
      env: { GIVEN: 'given' },
      inheritEnv: ['SVC_TEST_SHARED', 'NOT_THERE'],
    }).listTools();
    const environment = JSON.parse(textOf(await callTool(tools, '__get_env')));
    expect(environment).toMatchObject({
      GIVEN: 'given',
      SVC_TEST_SHARED: 'shared',
      PATH: expect.any(String),
    });
    expect(Object.keys(environment)).not.toContain('SVC_TEST_SECRET');
    expect(JSON.stringify(environment)).not.toContain('not-for-servers');
    expect(Object.keys(environment).filter((name) => /NODE|VITEST|npm/i.test(name))).toEqual([]);
  });

  it('can make further calls after one is cancelled', async () => {
    const stop = new AbortController();
    const { context, progress } = createContext({ signal: stop.signal });
    const slow = callTool(
      tools,
      '__trigger_long_running_operation',
      { duration: 60, steps: 600 },
      { context },
    );
    await expect.poll(() => progress.length).toBeGreaterThan(0);
    stop.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
    expect(textOf(await callTool(tools, '__echo', { message: 'still here' }))).toBe('Echo: still here');
  });

  it('offers only the tools of the allow-list, with the configured prefix and separator', async () => {
    const lines = catchLog();
    const named = await everything({
      tools: ['echo', 'get-sum', 'no-such-tool'],
      overrides: {
        ecko: new ToolOverride({ name: 'say' }),
        echo: new ToolOverride({ description: 'Says it' }),
      },
      prefix: 'demo',
      separator: '_',
    }).listTools();
    expect(named.map(({ name }) => name).toSorted()).toEqual(['demo_echo', 'demo_get_sum']);
    const missing = lines.flatMap(({ fields }) => fields['missing'] ?? []);
    expect(missing).toEqual(['no-such-tool', 'ecko']);
    const bare = await everything({ tools: ['get-sum'], prefix: '' }).listTools();
    expect(bare.map(({ name }) => name)).toEqual(['get_sum']);
  });

  it('prefers injected arguments, then the planner’s, then an override’s defaults, then defaults', async () => {
    const server = everything({
      tools: ['get-sum', 'echo'],
      defaultArgs: { a: 1, b: 10, unknown: 'left out' },
      inject: { message: dependsOnPrivateData('greeting') },
      overrides: { 'get-sum': new ToolOverride({ name: 'add_up', defaultArgs: { b: 20 } }) },
    });
    const tools = await server.listTools();
    const sum = async (args: Record<string, unknown>, injected = {}) =>
      /is (\d+)/.exec(textOf(await callTool(tools, 'add_up', args, { injected })))?.[1];
    expect(await sum({})).toBe('21');
    expect(await sum({ b: 30 })).toBe('31');
    expect(await sum({ a: 5, b: 30 }, { b: 100 })).toBe('105');
    expect(toolNamed(tools, 'add_up').inputSchema).toMatchObject({ required: [] });
    const echo = toolNamed(tools, '__echo');
    expect(echo.inputSchema).toMatchObject({ properties: {}, required: [] });
    expect(echo.inject.get('message')).toMatchObject({ kind: 'private_data', dataKey: 'greeting' });
    const injected = { message: 'from the vault' };
    expect(textOf(await callTool(tools, '__echo', { message: 'from the planner' }, { injected }))).toBe(
      'Echo: from the vault',
    );
  });
});

describe('other published servers', () => {
  it('the filesystem server reads files in its folder and refuses others', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-')));
    onTestFinished(async () => rm(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'note.txt'), 'remember the milk');
    const args = [findServer('@modelcontextprotocol/server-filesystem'), folder];
    const tools = await connectTo({ name: 'files', command: process.execPath, args }).listTools();
    expect(textOf(await callTool(tools, '__read_text_file', { path: join(folder, 'note.txt') }))).toBe(
      'remember the milk',
    );
    expect(await callTool(tools, '__read_text_file', { path: '/etc/passwd' })).toMatchObject({
      is_error: true,
    });
    expect(toolNamed(tools, '__write_file').permissions.isWriting).toBe(true);
    expect(toolNamed(tools, '__read_text_file').permissions.toList()).toEqual(['read']);
  });

  it('the memory server remembers across calls', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
    onTestFinished(async () => rm(folder, { recursive: true, force: true }));
    const args = [findServer('@modelcontextprotocol/server-memory')];
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
    const tools = await connectTo({ name: 'memory', command: process.execPath, args, env }).listTools();
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    await callTool(tools, '__create_entities', { entities });
    expect(JSON.stringify(await callTool(tools, '__search_nodes', { query: 'Ada' }))).toContain(
      'writes programs',
    );
  });
});
