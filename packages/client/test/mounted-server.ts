import type { AddressInfo } from 'node:net';
import { BridgeRegistry, EventBridge, type EventBridgeOptions } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import Fastify, { type FastifyInstance } from 'fastify';

/** Starts an app that serves the event streams of its own registry. */
export async function startMountedServer(prepare?: (app: FastifyInstance) => void) {
  const registry = new BridgeRegistry();
  const app = Fastify({ forceCloseConnections: true });
  prepare?.(app);
  mountEvents(app, { registry, authorize: () => true });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (sessionId: string) => `${origin}/svc/events/${sessionId}`,
    bridge: (sessionId: string, options?: EventBridgeOptions) =>
      registry.getOrCreate(sessionId, () => new EventBridge(sessionId, options)),
    async [Symbol.asyncDispose]() {
      await app.close();
      await registry.close();
    },
  };
}
