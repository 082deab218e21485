import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/config/errors.js';
import { startServer } from '../../http-server.js';
import { callTool, connectTo, connectToHostile } from '../mcp-doubles.js';

describe('a JSON-RPC error from a server', () => {
  it.each([
    { code: 404, message: 'no such row' },
    { code: 503, message: 'the printer is busy' },
    { code: -32000, message: 'Database connection closed' },
    { code: -32022, message: 'Unsupported version of the file' },
    { code: -32001, message: 'Upstream request timed out' },
  ])('is an MCP_SERVER_ERROR, whatever its code and message suggest: $code, $message', async (error) => {
    const server = connectToHostile('given_error', { args: [JSON.stringify(error)] });
    const tools = await server.listTools();
    // The call is not repeated, and the server is not restarted.
    for (const calls of [1, 2])
      await expect(callTool(tools, '__do_it')).rejects.toMatchObject({
        code: 'MCP_SERVER_ERROR',
        rpcCode: error.code,
        message: expect.stringContaining(`responded with error ${error.code}: ${error.message} while`),
        isRetryable: false,
        cause: { data: { calls } },
      });
  });
});

describe('a server that refuses every version of the protocol', () => {
  const refusal = {
    code: -32022,
    message: 'Unsupported protocol version',
    data: { supported: ['2099-01-01'] },
  };
  const reported = {
    code: 'MCP_PROTOCOL_VIOLATION',
    message: expect.stringContaining('uses a protocol version that is not supported while connecting to it'),
    isRetryable: false,
  };

  it('is reported as such over HTTP', async () => {
    await using modern = await startServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, error: refusal }));
    });
    await expect(connectTo({ name: 'web', url: `${modern.url}/mcp` }).connect()).rejects.toMatchObject(
      reported,
    );
  });

  it('is reported as such over standard input and output', async () => {
    const server = connectToHostile('refuses_version', { args: [JSON.stringify(refusal)] });
    await expect(server.connect()).rejects.toMatchObject(reported);
  });
});

it('an SDK error, such as one from the headers function, is rethrown unchanged', async () => {
  const own = new ConfigurationError('There is no key.', { code: 'CONFIG_INVALID_OPTION' });
  const headers = () => Promise.reject(own);
  const server = connectTo({ name: 'web', url: 'http://127.0.0.1:9/mcp', headers });
  await expect(server.connect()).rejects.toBe(own);
});

it('EACCES for an address is MCP_UNREACHABLE, not MCP_COMMAND_NOT_FOUND', async () => {
  const forbidden = Object.assign(new Error('connect EACCES 10.0.0.1:80'), { code: 'EACCES' });
  const headers = () => Promise.reject(forbidden);
  const server = connectTo({ name: 'web', url: 'http://127.0.0.1:9/mcp', headers });
  await expect(server.connect()).rejects.toMatchObject({
    code: 'MCP_UNREACHABLE',
    message: "The MCP server 'web' could not be reached (EACCES) while connecting to it.",
  });
});

it('a server that exits while it lists its tools is reported with its exit code', async () => {
  const server = connectToHostile('dies_listing');
  await server.connect();
  await expect(server.listTools()).rejects.toMatchObject({
    code: 'MCP_CONNECTION_LOST',
    message: "The MCP server 'hostile' disconnected (it exited with code 4) while listing its tools.",
    isRetryable: true,
  });
});

it('an answer that is no HTTP and repeats the request is not in the error', async () => {
  await using echo = await startServer(({ headers }, { socket }) => {
    socket?.end(`authorization: ${headers.authorization}\r\n\r\n`);
  });
  const headers = { authorization: 'Bearer sk-live-4711-secret' };
  const error: unknown = await connectTo({ name: 'web', url: `${echo.url}/mcp`, headers })
    .connect()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'MCP_CONNECTION_LOST', message: expect.stringContaining('HTTP/1.1') });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sk-live');
});

it('a redirect to another origin that repeats the request is not in the error', async () => {
  await using echo = await startServer(({ headers }, response) => {
    response.writeHead(307, { location: 'https://elsewhere.example/' }).end(headers.authorization);
  });
  const headers = { authorization: 'Bearer sk-live-4711-secret' };
  const error: unknown = await connectTo({ name: 'web', url: `${echo.url}/mcp`, headers })
    .connect()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'MCP_HTTP_307' });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sk-live');
});

describe('a program that cannot be started', () => {
  it('is named if it is not executable', async () => {
    await expect(connectTo({ name: 'unfit', command: import.meta.filename }).connect()).rejects.toMatchObject(
      {
        code: 'MCP_COMMAND_NOT_FOUND',
        message: expect.stringContaining(`EACCES: '${import.meta.filename}'`),
      },
    );
  });

  it('is reported without its confidential arguments and environment variables', async () => {
    const args = ['--token', 'sk-live-4711-secret'];
    const error: unknown = await connectTo({ name: 'missing', command: '/no/such/program', args })
      .connect()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MCP_COMMAND_NOT_FOUND', cause: { code: 'ENOENT' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sk-live');
    const secret = { command: '/no/such/sk-live-4711-secret', env: { SERVER_KEY: 'sk-live-4711-secret' } };
    await expect(connectTo({ name: 'missing', ...secret }).connect()).rejects.toMatchObject({
      message: expect.stringContaining("'/no/such/{_{SERVER_KEY}_}'"),
    });
  });
});
