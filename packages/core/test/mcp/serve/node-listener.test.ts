import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

const readWhole = async (request: Request) => new Response(await request.text());

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
    const url = await listen(readWhole);
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) }).catch(() => ({
      status: 413,
    }));
    expect(large.status).toBe(413);
  });

  it('leaves no connection behind on which the next one would wait for ever', async () => {
    const { port } = new URL(await listen(readWhole));
    const socket = connect(Number(port), '127.0.0.1');
    const answered = text(socket);
    const length = 5 * 1024 * 1024;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write('x'.repeat(length - 1));
    expect(await answered).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
  });

  it('may be answered before its body has come, and the next one on its connection is', async () => {
    const { port } = new URL(await listen(async () => new Response('go away', { status: 401 })));
    const socket = connect(Number(port), '127.0.0.1');
    let said = '';
    socket.on('data', (chunk) => (said += String(chunk)));
    const answers = () => said.match(/HTTP\/1\.1 401 /g)?.length ?? 0;
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n');
    await expect.poll(answers).toBe(1);
    socket.write('x'.repeat(200_000));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await expect.poll(answers).toBe(2);
  });

  it.each([
    ['an address that is none', 'GET // HTTP/1.1\r\nHost: localhost'],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: ['],
    ['a user in its address', 'GET http://ada:pw@localhost/ HTTP/1.1\r\nHost: localhost'],
    ['a method that the web does not know', 'TRACE / HTTP/1.1\r\nHost: localhost'],
  ])('is refused when it has %s', async (_what, head) => {
    const { port } = new URL(await listen(async () => new Response('never')));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
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
