import { BridgeRegistry, EventBridge, MemoryEventLog } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import Fastify from 'fastify';

interface PeerEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** A heartbeat would be counted as an event, so there is none unless it is what is measured. */
const neverMs = 2 ** 31 - 1;

/** What the harness asks for, and what is measured of us. */
interface AdapterOptions {
  heartbeatMs?: number;
  historyLimit?: number;
  /**
   * Whether events go through the whole pipeline, which writes flat fields and descriptors as the contract says; or pass
   * through as events of an application, with the bytes that the peers send too.
   */
  isContract: boolean;
}

/** An adapter for the harness in `peers`: the whole way from `emit` to the socket, as an app has it. */
export async function createAdapter({ heartbeatMs = 0, historyLimit = 500, isContract }: AdapterOptions) {
  const audience = isContract ? 'frontend_safe' : 'internal';
  // The harness lets no flow control slow the producer in w8, so a reader may fall behind by more than 500 events.
  const maxHistory = Number(process.env['SVC_BENCH_HISTORY'] ?? Math.max(500, historyLimit));
  const nameOf = (type: string) => (isContract ? type : `app.${type}`);
  const log = new MemoryEventLog({ maxSessions: 100_000 });
  const registry = new BridgeRegistry({
    maxSessions: 100_000,
    create: (id) => new EventBridge(id, { log, audience, maxHistory }),
  });
  const firstIds = new Map<string, string>();
  const app = Fastify();
  app.addHook('onRequest', async ({ headers, url }) => {
    // The harness asks with its own ids, and ours are the log's.
    const first = firstIds.get(url.slice('/s/'.length));
    if (headers['last-event-id'] !== undefined && first !== undefined) headers['last-event-id'] = first;
  });
  mountEvents(app, {
    prefix: '',
    path: '/s/:sessionId',
    registry,
    audience,
    authorize: () => true,
    heartbeatIntervalMs: heartbeatMs || neverMs,
    limits: { readersPerSession: 100_000, sessions: 100_000, waitingReaders: 100_000 },
  });
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  return {
    server: app.server,
    prepared: false,
    open: (id: string) => void registry.getOrCreate(id),
    emit: (id: string, { type, data }: PeerEvent) => void registry.getOrCreate(id).emit(nameOf(type), data),
    subscribers: (id: string) => registry.get(id)?.subscriberCount ?? 0,
    async preload(id: string, events: PeerEvent[]) {
      const bridge = registry.getOrCreate(id);
      // The harness looks for its own id of the last event, which ours carries in its data.
      for (const event of events) await bridge.emit(nameOf(event.type), { ...event.data, id: event.id });
      const [first] = await bridge.history();
      firstIds.set(id, first?.id ?? '');
    },
    dispose: async (id: string) => {
      await registry.remove(id);
      await log.remove(id);
    },
    close() {
      app.server.closeAllConnections();
      void app.close();
    },
  };
}
