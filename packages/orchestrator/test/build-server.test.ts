import { expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../src/build-server.js';
import { Quota } from '../src/ingress/quota.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { formatKey } from '../src/keys/key-token.js';
import { silentLogger } from '../src/logger.js';
import { readOptions } from '../src/options.js';
import { randomText } from '../src/random-text.js';
import { StreamRegistry } from '../src/streams/stream-registry.js';
import { request } from './support/requests.js';
import { finish, scriptedPlanner } from './support/scripted-planner.js';
import { SessionBench } from './support/session-bench.js';
import { WireClient } from './support/wire-client.js';

/** A server with a manual clock, and a client for it. */
async function openServer(planner = scriptedPlanner([finish('ok')])) {
  const bench = new SessionBench({ planner });
  const { store, clock, manager, memory, metrics } = bench;
  const { limits } = readOptions({});
  const fixed = [{ key: 'key', project: 'p' }];
  const keys = new KeyRing({ store, clock, randomText, fixed });
  const streams = new StreamRegistry(limits);
  const quota = new Quota(store, clock, limits);
  const app = buildServer(
    {
      store,
      clock,
      manager,
      memory,
      metrics,
      streams,
      quota,
      limits,
      randomText,
      logger: silentLogger,
      heartbeatIntervalMs: 1000,
      baseUrl: ({ host }) => `http://${host}`,
      hasStarted: () => true,
      isDraining: () => false,
    },
    { keys, keyCheckIntervalMs: 5000, hosts: () => undefined },
  );
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0 });
  return { clock, store, streams, url, client: new WireClient(url, 'key') };
}

it('leaves no timer behind when a stream ends', async () => {
  const { clock, streams, client } = await openServer();
  expect((await client.follow(await client.start(request('go')))).final).toMatchObject({ response: 'ok' });
  await expect.poll(() => streams.sizeOf('p')).toBe(0);
  expect(clock.waiting).toBe(0);
});

it.each([
  ['a request', 'listRuns', 'key'],
  ['the check of its key', 'readDocument', formatKey({ id: 'k'.repeat(12), secret: 's'.repeat(43) })],
] as const)('answers with 503 when the store does not answer %s', async (_, method, key) => {
  const { clock, store, url } = await openServer();
  const asked = Promise.withResolvers<void>();
  store[method] = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const answering = new WireClient(url, key).request('GET', '/sessions');
  await asked.promise;
  clock.advance(15_000);
  const answer = await answering;
  expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(clock.waiting).toBe(0);
});

it('leaves an open stream alone, however long it waits for its next event', async () => {
  const planned = Promise.withResolvers<void>();
  const step = () => planned.promise.then(() => finish('late'));
  const { clock, streams, client } = await openServer(scriptedPlanner([step]));
  const following = client.follow(await client.start(request('go')));
  await expect.poll(() => streams.sizeOf('p')).toBe(1);
  clock.advance(20_000);
  planned.resolve();
  expect((await following).final).toMatchObject({ response: 'late' });
});
