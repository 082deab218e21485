import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

/** A server on the loopback address that records its requests. */
export async function startServer(listener: RequestListener) {
  const requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
