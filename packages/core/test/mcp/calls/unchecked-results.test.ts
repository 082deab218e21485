import { expect, it } from 'vitest';
import { callTool, connectTo } from '../mcp-doubles.js';
import { startStatelessDouble } from '../stateless-double.js';

/** Calls a tool of a server without sessions that answers with this result. */
async function callFor(content: readonly unknown[], more: object = {}): Promise<unknown> {
  const remote = await startStatelessDouble((method) => {
    if (method === 'initialize') return { status: 400 };
    return method === 'tools/call' ? { result: { resultType: 'complete', content, ...more } } : undefined;
  });
  const tools = await connectTo({ name: 'new', url: remote.url }).listTools();
  return callTool(tools, '__look');
}

it('of a server without sessions, a result may have what the protocol does not know yet', async () => {
  const content = [{ type: 'smell', strength: 3 }];
  const more = { isError: null, structuredContent: null };
  expect(await callFor(content, more)).toEqual({ is_error: false, content });
});

it('of a server without sessions, a result of a million faults is refused at the first', async () => {
  await expect(callFor(Array(1_000_000).fill(1))).rejects.toMatchObject({ code: 'MCP_PROTOCOL_VIOLATION' });
});
