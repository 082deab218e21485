import { expect, it } from 'vitest';
import { catchLog, connectTo } from '../mcp-doubles.js';
import { startStatelessDouble } from '../stateless-double.js';

const inputSchema = { type: 'object' };
const usable = { name: 'usable', inputSchema };

it.each<[string, object]>([
  ['no schema', { name: 'odd' }],
  ['another name than a string', { name: 1, inputSchema }],
  ['a list for a schema', { name: 'odd', inputSchema: [] }],
])('of a server without sessions, a tool with %s is left out', async (_what, odd) => {
  const log = catchLog();
  const remote = await startStatelessDouble((method) => {
    if (method === 'initialize') return { status: 400 };
    const result = { resultType: 'complete', tools: [odd, usable], ttlMs: 0, cacheScope: 'private' };
    return method === 'tools/list' ? { result } : undefined;
  });
  const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['new__usable']);
  expect(log).toContainEqual({
    message: 'A tool of an MCP server is ignored.',
    fields: expect.objectContaining({ problem: 'it is malformed' }),
  });
});

it('a huge tool is left out before its faults are counted', async () => {
  const log = catchLog();
  const huge = { name: 'huge', inputSchema: { type: 'object', required: Array(1_000_000).fill(1) } };
  const remote = await startStatelessDouble((method) => {
    if (method === 'initialize') return { status: 400 };
    return method === 'tools/list'
      ? { result: { resultType: 'complete', tools: [huge, usable] } }
      : undefined;
  });
  const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['new__usable']);
  expect(log).toContainEqual({
    message: 'A tool of an MCP server is ignored.',
    fields: expect.objectContaining({ tool: 'huge', problem: 'it is too large' }),
  });
});

it('of a server without sessions, empty descriptions and a list without a time are accepted', async () => {
  const tool = { ...usable, title: null, description: null, outputSchema: null, annotations: null };
  const remote = await startStatelessDouble((method) => {
    if (method === 'initialize') return { status: 400 };
    const result = { resultType: 'complete', tools: [tool], nextCursor: null };
    return method === 'tools/list' ? { result } : undefined;
  });
  expect(await connectTo({ name: 'new', url: remote.url }).listTools()).toHaveLength(1);
});
