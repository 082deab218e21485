import { describe, expect, it } from 'vitest';
import { callTool, connectToHostile, textOf } from '../mcp-doubles.js';

describe('a malformed answer', () => {
  it.each([
    ['whose result is null', { result: null }],
    ['with a result and an error', { result: {}, error: null }],
    ['with neither', {}],
    ['whose error has no code', { error: { message: 'out of paper' } }],
  ])('%s fails its call before the timeout', async (_what, answer) => {
    const tools = await connectToHostile('given_answer', { args: [JSON.stringify(answer)] }).listTools();
    await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
      code: 'MCP_PROTOCOL_VIOLATION',
      message: "The MCP server 'hostile' sent a message that violates the protocol while calling 'do_it'.",
      isRetryable: false,
    });
  });
});

it('a malformed request of a server is not taken as the answer to ours', async () => {
  const request = { method: 'ping', result: {}, params: 'none' };
  const args = [JSON.stringify(request), 'and the answer'];
  const tools = await connectToHostile('given_answer', { args }).listTools();
  expect(textOf(await callTool(tools, '__do_it'))).toBe('and the answer');
});
