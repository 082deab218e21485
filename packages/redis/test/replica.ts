import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { BridgeRegistry, EventBridge } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import Fastify from 'fastify';
import { redisEventLog } from '../src/index.js';
import type { RedisServer } from './redis-server.js';

/** The session that the tests are about. */
export const SESSION = 's1';

/** One server process of an application: its own Redis client, log, bridges and port. */
export class Replica {
  readonly port: number;
  readonly bridge: EventBridge;
  readonly #kill: () => Promise<void>;

  private constructor(port: number, bridge: EventBridge, kill: () => Promise<void>) {
    this.port = port;
    this.bridge = bridge;
    this.#kill = kill;
  }

  static async start(redis: RedisServer, prefix: string): Promise<Replica> {
    const client = redis.client();
    const log = redisEventLog({ client, prefix });
    const create = (sessionId: string) =>
      new EventBridge(sessionId, { audience: 'frontend_safe', log, logger: silent });
    const registry = new BridgeRegistry({ create });
    const app = Fastify();
    mountEvents(app, { registry, factory: create, authorize: () => true });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const kill = async () => {
      client.disconnect();
      app.server.closeAllConnections();
      await app.close();
      await registry.close();
      await log.close();
    };
    return new Replica(port, registry.getOrCreate(SESSION), kill);
  }

  /** Everything goes at once: readers' sockets, the port, the connection to Redis. */
  kill(): Promise<void> {
    return this.#kill();
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Sends each connection to the next replica that is alive. */
export async function roundRobin(
  replicas: Replica[],
): Promise<{ url: string; served: Map<number, number>; close(): void }> {
  const sockets = new Set<Socket>();
  const served = new Map<number, number>();
  let next = 0;
  const server = createServer((client) => {
    const replica = replicas[next % replicas.length];
    next += 1;
    if (replica === undefined) return void client.destroy();
    served.set(replica.port, (served.get(replica.port) ?? 0) + 1);
    const upstream = connect(replica.port, '127.0.0.1');
    sockets.add(client).add(upstream);
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${port}/svc/events/${SESSION}`, served, close };
}
