import { createServer, type ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { serveMcp } from '../../../../src/mcp/serve/serve-mcp.js';
import { startAgent } from '../../../agent-setup.js';
import { catchLog } from '../../mcp-doubles.js';

/** Sends a request whose body cannot be passed on; returns the status, or how the request failed, and the log. */
async function failRequest(prepare: (response: ServerResponse) => void = () => {}) {
  const lines = catchLog();
  await using setup = await startAgent([]);
  await using service = serveMcp(setup.agent);
  const handled = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    prepare(response);
    service.handle(request, response, { id: 1n }).then(handled.resolve, handled.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const read = async () => {
    const response = await fetch(url, { method: 'POST' });
    await response.text();
    return response.status;
  };
  const [, answer] = await Promise.all([handled.promise, read().catch(() => 'lost')]);
  return { answer, messages: lines.map(({ message }) => message) };
}

const messages = ['A request over HTTP could not be handled.'];

it('a request that cannot be handled is answered with 500 and logged', async () => {
  expect(await failRequest()).toEqual({ answer: 500, messages });
});

it('a request that cannot be handled loses its connection if its response has begun', async () => {
  expect(await failRequest((response) => response.flushHeaders())).toEqual({ answer: 'lost', messages });
});

it.each([
  ['read', async (request: Request) => void (await request.text())],
  ['locked', (request: Request) => void request.body?.getReader()],
])('a request whose body authorize() has %s is answered with 400', async (_what, spoil) => {
  await using setup = await startAgent([]);
  const authorize = async (request: Request) => {
    await spoil(request);
    return true;
  };
  await using service = serveMcp(setup.agent, { authorize });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: '{}' });
  expect((await service.fetch(request)).status).toBe(400);
});
