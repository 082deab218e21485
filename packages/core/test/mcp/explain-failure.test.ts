import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { callTool, connectTo, connectToHostile } from './mcp-doubles.js';

describe('an error that a server answers', () => {
  it.each([
    { code: 404, message: 'no such row' },
    { code: 503, message: 'the printer is busy' },
    { code: -32000, message: 'Database connection closed' },
    { code: -32001, message: 'Upstream request timed out' },
  ])('is one of its own, whatever its code and its words remind of: $code, $message', async (error) => {
    const server = connectToHostile('given_error', { args: [JSON.stringify(error)] });
    const tools = await server.listTools();
    // It is neither called once more nor started anew for that.
    for (const calls of [1, 2])
      await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
        code: 'MCP_SERVER_ERROR',
        rpcCode: error.code,
        message: expect.stringContaining(`answered with error ${error.code}: ${error.message} while`),
        isRetryable: false,
        cause: { data: { calls } },
      });
  });
});

describe('a program that cannot be started', () => {
  it('is told of without what it would have been given in confidence', async () => {
    const args = ['--token', 'sk-live-4711-secret'];
    const error: unknown = await connectTo({ name: 'missing', command: '/no/such/program', args })
      .connect()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MCP_COMMAND_NOT_FOUND', cause: { code: 'ENOENT' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sk-live');
  });
});
