import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerNodeRequest } from '../../../src/mcp/serve/node-listener.js';

async function listen(
  answer: (request: Request) => Promise<Response>,
  parsedBody?: unknown,
): Promise<string> {
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    answerNodeRequest(answer, request, response, parsedBody).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    expect(failures).toEqual([]);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('a request of Node’s server', () => {
  it('arrives whole, and so does the answer', async () => {
    const url = await listen(async (request) =>
      Response.json(
        {
          method: request.method,
          path: new URL(request.url).pathname,
          header: request.headers.get('x-test'),
          body: await request.text(),
        },
        { status: 201 },
      ),
    );
    const response = await fetch(`${url}/mcp?x=1`, {
      method: 'POST',
      headers: { 'x-test': 'yes' },
      body: 'hello',
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ method: 'POST', path: '/mcp', header: 'yes', body: 'hello' });
  });

  it('may have been read by a framework', async () => {
    const url = await listen(async (request) => new Response(await request.text()), { read: true });
    expect(await (await fetch(url, { method: 'POST', body: 'ignored' })).text()).toBe('{"read":true}');
  });

  it('is refused when it is too large', async () => {
    const url = await listen(async () => new Response('never'));
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) }).catch(() => ({
      status: 413,
    }));
    expect(large.status).toBe(413);
  });

  it('is given up when its client leaves', async () => {
    const left = Promise.withResolvers<void>();
    const url = await listen(async (request) => {
      request.signal.addEventListener('abort', () => left.resolve());
      return new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('begin')) }),
      );
    });
    const leave = new AbortController();
    const response = await fetch(url, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await left.promise;
  });
});
