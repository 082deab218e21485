import { expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../src/build-server.js';
import { Quota } from '../src/ingress/quota.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { silentLogger } from '../src/logger.js';
import { readOptions } from '../src/options.js';
import { randomText } from '../src/random-text.js';
import { StreamRegistry } from '../src/streams/stream-registry.js';
import { request } from './support/requests.js';
import { finish, scriptedPlanner } from './support/scripted-planner.js';
import { SessionBench } from './support/session-bench.js';
import { WireClient } from './support/wire-client.js';

/** A server with a manual clock, and a client for it. */
async function openServer() {
  const bench = new SessionBench({ planner: scriptedPlanner(() => [finish('ok')]) });
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
  return { clock, streams, client: new WireClient(await app.listen({ port: 0 }), 'key') };
}

it('leaves no timer behind when a stream ends', async () => {
  const { clock, streams, client } = await openServer();
  expect((await client.follow(await client.start(request('go')))).final).toMatchObject({ response: 'ok' });
  await expect.poll(() => streams.sizeOf('p')).toBe(0);
  expect(clock.waiting).toBe(0);
});
