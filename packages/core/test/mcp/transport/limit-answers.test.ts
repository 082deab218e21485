import { expect, it } from 'vitest';
import { callTool, connectTo, connectToHostile } from '../mcp-doubles.js';
import { startRawServer } from '../http-servers.js';

const lost = {
  code: 'MCP_CONNECTION_LOST',
  message: expect.stringContaining('more than 100 requests without taking the answers'),
};

it('a program that sends requests and does not read the answers is disconnected', async () => {
  const tools = await connectToHostile('floods_requests', { callTimeoutMs: 10_000 }).listTools();
  await expect(callTool(tools, '__do_it')).rejects.toMatchObject(lost);
});

it('a server over HTTP that sends requests and does not take the answers is disconnected', async () => {
  const remote = await startRawServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let id = 0; id < 300; id += 1)
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n\n`);
  });
  const tools = await connectTo({ name: 'web', url: remote.url, callTimeoutMs: 10_000 }).listTools();
  await expect(callTool(tools, '__look')).rejects.toMatchObject(lost);
  expect(remote.answers.length).toBeLessThanOrEqual(100);
});

it('a server that sends many requests and takes the answers stays connected', async () => {
  const tools = await connectToHostile('many_requests').listTools();
  expect(await callTool(tools, '__do_it')).toMatchObject({ content: [{ text: '500 answers' }] });
});
