import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerNodeRequest } from '../../../../src/mcp/serve/http/node-listener.js';

async function listen(
  answer: (request: Request) => Promise<Response>,
  parsedBody?: unknown,
): Promise<string> {
  const answers: Promise<void>[] = [];
  const server = createServer((request, response) => {
    const answered = answerNodeRequest(answer, request, response, parsedBody);
    answers.push(answered);
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(answers);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const readWhole = async (request: Request) => new Response(await request.text());

describe('a request to a Node.js server', () => {
  it('is passed on with method, URL, headers and body, and so is its response', async () => {
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

  it('can have a response with several cookies', async () => {
    const cookies = ['state=1; Secure', 'nonce=2; Secure'];
    const headers = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
    const response = await fetch(await listen(async () => new Response(null, { headers })));
    expect(response.headers.getSetCookie()).toEqual(cookies);
  });

  it('can have a response that is too large to be sent at once', async () => {
    const url = await listen(async () => new Response('x'.repeat(8_000_000)));
    expect(await (await fetch(url)).text()).toHaveLength(8_000_000);
  });

  it('is answered only as fast as its client reads', async () => {
    const most = 2_000;
    let pulled = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      pulled += 1;
      if (pulled === most) controller.close();
      else controller.enqueue(new Uint8Array(65_536));
    };
    const { port, hostname } = new URL(await listen(async () => new Response(new ReadableStream({ pull }))));
    const client = connect(Number(port), hostname).pause();
    onTestFinished(() => void client.destroy());
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const count = () => pulled;
    for (let before = -1; count() === 0 || count() !== before; await wait(300)) before = count();
    expect(pulled).toBeLessThan(most);
  });

  it('can have a body that a framework has already parsed', async () => {
    const url = await listen(async (request) => new Response(await request.text()), { read: true });
    expect(await (await fetch(url, { method: 'POST', body: 'ignored' })).text()).toBe('{"read":true}');
  });

  it('is refused with 413 if its body is too large, and its connection is closed', async () => {
    const { port } = new URL(await listen(readWhole));
    const socket = connect(Number(port), '127.0.0.1');
    const answered = text(socket);
    const length = 5 * 1024 * 1024;
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write('x'.repeat(length - 1));
    expect(await answered).toMatch(
      /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n[^]*more than 4194304 bytes/i,
    );
  });

  it('can be answered before its body has arrived, and so can the next one on its connection', async () => {
    const { port } = new URL(await listen(async () => new Response('go away', { status: 401 })));
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    const answers = () => received.match(/HTTP\/1\.1 401 /g)?.length ?? 0;
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n');
    await expect.poll(answers).toBe(1);
    socket.write('x'.repeat(200_000));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await expect.poll(answers).toBe(2);
  });

  it.each([
    ['an invalid URL', 'GET // HTTP/1.1\r\nHost: localhost'],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: ['],
    ['a user in its URL', 'GET http://ada:pw@localhost/ HTTP/1.1\r\nHost: localhost'],
    ['a method that fetch forbids', 'TRACE / HTTP/1.1\r\nHost: localhost'],
  ])('is refused with 400 if it has %s', async (_what, head) => {
    const { port } = new URL(await listen(async () => new Response('never')));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('gets the headers of its response before any of the body', async () => {
    const url = await listen(async () => new Response(new ReadableStream(), { status: 202 }));
    expect((await fetch(url)).status).toBe(202);
  });

  it('is aborted when the body of its response fails', async () => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('begin'));
      controller.error(new Error('no more'));
    };
    const failed = Promise.withResolvers<unknown>();
    const server = createServer((request, response) => {
      const answer = async () => new Response(new ReadableStream({ start }));
      answerNodeRequest(answer, request, response).catch(failed.resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    await expect(fetch(url).then(async (response) => response.text())).rejects.toThrow();
    expect(await failed.promise).toMatchObject({ message: 'no more' });
  });

  it('is not answered when its client has already disconnected', async () => {
    const asked: Request[] = [];
    const answered = Promise.withResolvers<void>();
    const server = createServer(async (request, response) => {
      await once(response, 'close');
      const answer = async (asking: Request) => {
        asked.push(asking);
        return new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
        );
      };
      answerNodeRequest(answer, request, response, {}).then(answered.resolve, answered.reject);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(server, 'request');
    socket.destroy();
    await answered.promise;
    expect(asked).toEqual([]);
  });

  it('is aborted when its client disconnects, and the body of its response is cancelled', async () => {
    const left = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const url = await listen(async (request) => {
      request.signal.addEventListener('abort', () => left.resolve());
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode('begin'));
      return new Response(new ReadableStream({ start, cancel: () => released.resolve() }));
    });
    const leave = new AbortController();
    const response = await fetch(url, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await Promise.all([left.promise, released.promise]);
  });
});
