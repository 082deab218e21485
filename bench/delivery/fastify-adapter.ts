import { BridgeRegistry, EventBridge, MemoryEventLog } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import Fastify from 'fastify';
import { FrameWriter } from './frame-writer.js';

interface PeerEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** The peers' event names belong to the contract; an application's own names have the same length. */
const ownNames: Readonly<Record<string, string>> = {
  assistant_chunk: 'assistant_words',
  tool_event: 'tool_notes',
};

/** A heartbeat would be counted as an event, so there is none unless heartbeats are measured. */
const neverMs = 2 ** 31 - 1;

/** The options of the harness, and what to send. */
interface AdapterOptions {
  heartbeatMs?: number;
  historyLimit?: number;
  /**
   * What to send. `contract` goes through the whole pipeline, which adds the flat fields and descriptors of the contract.
   * `events` are an application's own and pass through with the same bytes as the peers'. `frames` are made before the
   * clock starts and go into the log unchanged.
   */
  what: 'contract' | 'events' | 'frames';
}

/** Creates an adapter for the harness in `peers`: the whole path to the socket, as in an application. */
export async function createAdapter({ heartbeatMs = 0, historyLimit = 500, what }: AdapterOptions) {
  const isContract = what === 'contract';
  const audience = isContract ? 'frontend_safe' : 'internal';
  const maxHistory = Number(process.env['SVC_BENCH_HISTORY'] ?? Math.max(500, historyLimit));
  const nameOf = (type: string) => (isContract ? type : (ownNames[type] ?? type));
  const log = new MemoryEventLog({ maxSessions: 100_000 });
  const registry = new BridgeRegistry({
    maxSessions: 100_000,
    create: (id) => new EventBridge(id, { log, audience, maxHistory }),
  });
  const firstIds = new Map<string, string>();
  const frames = new FrameWriter(log, maxHistory);
  const app = Fastify();
  // The harness asks with its own ids, but ours come from the log. A Fastify hook would be measured with the route.
  app.server.prependListener('request', ({ headers, url = '' }) => {
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
    prepared: what === 'frames',
    prepare: frameOf,
    async open(id: string) {
      registry.getOrCreate(id);
      if (what === 'frames') await frames.open(id);
    },
    emit(id: string, given: PeerEvent | string) {
      if (typeof given !== 'string') void registry.getOrCreate(id).emit(nameOf(given.type), given.data);
      else frames.append(id, given);
    },
    subscribers: (id: string) => registry.get(id)?.subscriberCount ?? 0,
    async preload(id: string, events: PeerEvent[]) {
      const bridge = registry.getOrCreate(id);
      // The harness looks for its own id of the last event, which our event carries in its data.
      for (const [at, { id: own, type, data }] of events.entries())
        await bridge.emit(nameOf(type), at === events.length - 1 ? { ...data, id: own } : data);
      const [first] = await bridge.history();
      firstIds.set(id, first?.id ?? '');
    },
    dispose: async (id: string) => {
      frames.forget(id);
      await registry.remove(id);
      await log.remove(id);
    },
    close() {
      app.server.closeAllConnections();
      void app.close();
    },
  };
}

/** The frame that `raw` sends. */
function frameOf(event: PeerEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
