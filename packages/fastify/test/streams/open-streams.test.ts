import { request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BridgeRegistry, MemoryEventLog } from '@svc/events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { resolveMountOptions } from '../../src/mount-options.js';
import { OpenStreams } from '../../src/streams/open-streams.js';
import { isLive, listen, open, turn } from '../app.js';

it('open streams frame the same bytes once per flush, and then forget the chunk', async () => {
  const settings = resolveMountOptions({ registry: new BridgeRegistry(), authorize: () => true });
  const { framer, flushes } = new OpenStreams(settings, Math.random);
  const bytes = Buffer.from('frame');
  const chunks: unknown[] = [];
  const write = () => flushes.add({ flush: () => void chunks.push(framer.chunkOf(bytes)) });
  write();
  write();
  await Promise.resolve();
  write();
  await Promise.resolve();
  expect(chunks).toHaveLength(3);
  expect(chunks[1]).toBe(chunks[0]);
  expect(chunks[2]).not.toBe(chunks[0]);
});

it('open streams keep nothing of a stream that has ended', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  await using server = await listen({ maxConnectionAgeMs: 60_000 });
  const bridge = server.bridge();
  const staying = await open(server.url());
  await staying.until(isLive);
  const responses: WeakRef<object>[] = [];
  server.app.server.on('request', (_, response) => responses.push(new WeakRef(response)));
  for (const id of ['s1', 'waits']) {
    const reader = await open(server.url(id));
    await reader.until(isLive);
    reader.close();
  }
  while (bridge.subscriberCount > 1) await turn();
  const held = async () => {
    await turn();
    collect();
    return responses.filter((each) => each.deref() !== undefined).length;
  };
  await expect.poll(held, { timeout: 10_000 }).toBe(0);
  expect(responses).toHaveLength(2);
  staying.close();
});

it('open streams do not wait for the log once the caller has left, and then close its reader', async () => {
  await using server = await listen({ limits: { readersPerSession: 1 } });
  const log = new MemoryEventLog();
  const bridge = server.bridge('s1', { log });
  await bridge.emitFinal('done');
  const asked = Promise.withResolvers<void>();
  const silence = Promise.withResolvers<void>();
  const inspect = vi.spyOn(log, 'inspect').mockImplementationOnce(async () => {
    asked.resolve();
    await silence.promise;
    return log.inspect('s1');
  });
  const request = httpRequest(server.url(), { agent: false }).on('error', () => undefined);
  request.end();
  await asked.promise;
  request.destroy();
  // The only place is free again.
  await expect.poll(async () => (await server.app.inject('/svc/events/s1')).statusCode).toBe(200);
  silence.resolve();
  await inspect.mock.results[0]?.value;
  await turn();
  expect(bridge.subscriberCount).toBe(0);
});

it('open streams are refused with 500 while the log cannot be read, and take no place', async () => {
  await using server = await listen({ limits: { readersPerSession: 1 } });
  const log = new MemoryEventLog();
  await server.bridge('s1', { log }).emitFinal('done');
  vi.spyOn(log, 'inspect').mockRejectedValueOnce(new Error('private: db-password'));
  const refused = await server.app.inject('/svc/events/s1');
  expect([refused.statusCode, refused.json()]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
  expect(refused.payload).not.toContain('db-password');
  expect((await server.app.inject('/svc/events/s1')).statusCode).toBe(200);
});

it('open streams leave no listener of their opening behind', async () => {
  await using server = await listen();
  const listeners: (() => [number, number])[] = [];
  server.app.server.on('request', (request, response) =>
    listeners.push(() => [request.listenerCount('aborted'), response.listenerCount('close')]),
  );
  server.bridge();
  for (const id of ['s1', 'waits']) {
    const { until, close } = await open(server.url(id));
    await until(isLive);
    onTestFinished(() => void close());
  }
  const [attached, waiting] = listeners.map((count) => count());
  expect(attached?.[0]).toBe(0);
  // A waiting stream has not been opened on a bridge.
  expect(attached).toEqual(waiting);
});
