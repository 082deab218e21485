import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeRegistry, EventBridge } from '@svc/events';
import { mountEvents } from '@svc/fastify';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { redisEventLog } from '../../src/index.js';
import type { Notice, Order } from '../replica.js';

/** A server process of an application, with its own Redis client and bridges. It follows its parent's orders. */
const [redisPort = '', prefix = '', sessionId = ''] = process.argv.slice(2);
const client = new Redis({ port: Number(redisPort), retryStrategy: () => 20 });
const log = redisEventLog({ client, prefix });
const create = (id: string) =>
  new EventBridge(id, { audience: 'frontend_safe', log, maxHistory: 100_000, logger: silent() });
const registry = new BridgeRegistry({ create });
const app = Fastify();
// A short interval lets a reader learn quickly how long a silence is too long.
mountEvents(app, { registry, factory: create, authorize: () => true, heartbeatIntervalMs: 100 });
await app.listen({ port: 0, host: '127.0.0.1' });
const bridge = registry.getOrCreate(sessionId);

let resting = new AbortController();
let production: Promise<void> = Promise.resolve();

/** Emits numbered messages, three at a time, until it is told to rest or the log refuses one. */
async function produce(name: string): Promise<void> {
  for (let n = 1; !resting.signal.aborted; n += 3) {
    await Promise.all([n, n + 1, n + 2].map((each) => emitMessage(`${name}${each}`)));
    await delay(5);
  }
}

async function emitMessage(message: string): Promise<void> {
  try {
    await bridge.emitStatusMessage({ assistantId: 'a', message });
    notify({ acknowledged: message });
  } catch (error) {
    resting.abort();
    notify({ refused: message, code: codeOf(error) });
  }
}

async function rest(): Promise<void> {
  resting.abort();
  await production;
}

const orders = {
  produce: async (name) => {
    resting = new AbortController();
    production = produce(String(name));
  },
  rest,
  emit: (name, payload) => bridge.emit(String(name), Object(payload)),
  reopen: () => bridge.reopen(),
  close: () => bridge.close(),
  readers: async () => bridge.subscriberCount,
} satisfies Record<string, (...given: readonly unknown[]) => Promise<unknown>>;

process.on('message', ({ id, name, given }: Order) => {
  (orders[name] as (...all: readonly unknown[]) => Promise<unknown>)(...given).then(
    (value) => notify({ done: id, value }),
    (error: unknown) => notify({ failed: id, code: codeOf(error) }),
  );
});

// Without its parent it would run forever.
const exit = () => process.exit(1);
process.once('disconnect', exit);
process.once('SIGTERM', async () => {
  await rest();
  await app.close();
  await registry.close();
  await log.close();
  await client.quit();
  process.off('disconnect', exit);
  process.disconnect();
});

notify({ port: (app.server.address() as AddressInfo).port });

function notify(notice: Notice): void {
  process.send?.(notice);
}

function codeOf(error: unknown): string {
  return String(Object(error).code ?? error);
}

function silent() {
  return { debug() {}, info() {}, warn() {}, error() {} };
}
