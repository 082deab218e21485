import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SESSION } from './replica.js';

/** A round-robin load balancer: each connection goes to the next server, or to the one after it if that one is gone. */
export async function roundRobin(
  servers: readonly { readonly port: number }[],
): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>();
  let next = 0;
  const forward = (client: Socket, triesLeft: number) => {
    const server = servers[next % servers.length];
    next += 1;
    if (server === undefined || triesLeft === 0) return void client.destroy();
    const upstream = connect(server.port, '127.0.0.1');
    let isConnected = false;
    client.once('close', () => upstream.destroy());
    upstream.once('connect', () => {
      isConnected = true;
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => undefined);
    upstream.once('close', () => {
      if (isConnected) client.destroy();
      else forward(client, triesLeft - 1);
    });
  };
  const balancer = createServer((client) => {
    sockets.add(client);
    // 'close' follows.
    client.on('error', () => undefined);
    forward(client, servers.length);
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  const { port } = balancer.address() as AddressInfo;
  const close = () => {
    balancer.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${port}/svc/events/${SESSION}`, close };
}
