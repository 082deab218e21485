import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

/** The address of a server on the loopback interface that ends with the test. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}
