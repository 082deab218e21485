import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ChannelListener, Subscriptions } from '../src/subscriptions.js';
import { CuttingProxy } from './cutting-proxy.js';
import { hasRedis, RedisServer } from './redis-server.js';

const PING_INTERVAL_MS = 15_000;

/** Waits for an event, whatever else goes wrong meanwhile. */
const happens = (client: Redis, event: string) =>
  new Promise<void>((resolve) => client.once(event, () => resolve()));

/** Listens with a connection that the test can look at once somebody was added. */
function listeningWith(client: Redis) {
  const duplicate = vi.spyOn(client, 'duplicate');
  const subscriptions = new Subscriptions(client);
  onTestFinished(() => subscriptions.close());
  const told: string[] = [];
  const listener = (name: string): ChannelListener => ({
    onMessage: (message) => void told.push(`${name} hears ${message.toString()}`),
    onListening: () => void told.push(name),
    onPong: () => void told.push(`${name} goes on`),
    onFailure: ({ code }) => void told.push(`${name}: ${code}`),
  });
  const connection = () => duplicate.mock.results.at(-1)?.value as Redis;
  return { subscriptions, told, listener, connection };
}

describe.skipIf(!hasRedis)('the connection that listens', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server?.stop());

  const listening = (options: RedisOptions = {}) => listeningWith(server.client(options));
  const channels = async () => (await server.client().pubsub('CHANNELS', '*')).map(String).toSorted();
  async function timesCalled(command: string): Promise<number> {
    const stats = await server.client().info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }

  it('is told of a channel once, however many listen, and of its end with the last of them', async () => {
    const { subscriptions, told, listener } = listening();
    const [first, second, third] = [listener('first'), listener('second'), listener('third')];
    subscriptions.add('c', first);
    subscriptions.add('c', second);
    expect(told).toEqual([]);
    await expect.poll(() => told).toEqual(['first', 'second']);
    subscriptions.add('c', third);
    expect(told).toEqual(['first', 'second', 'third']);
    subscriptions.remove('c', first);
    await server.client().publish('c', 'news');
    await expect.poll(() => told).toContain('second hears news');
    expect(told).not.toContain('first hears news');
    subscriptions.remove('c', second);
    expect(await channels()).toEqual(['c']);
    subscriptions.remove('c', third);
    await expect.poll(channels).toEqual([]);
    expect(await timesCalled('subscribe')).toBe(1);
    expect(await timesCalled('unsubscribe')).toBe(1);
  });

  it('says that it listens when it does, not when it did', async () => {
    const { subscriptions, told, listener, connection } = listening();
    /** That there is a first one says nothing to the second. */
    const addTwo = (...names: [string, string]) => {
      const two = names.map(listener);
      const before = [...told];
      for (const each of two) subscriptions.add('c', each);
      expect(told).toEqual(before);
      return two;
    };
    const removed = addTwo('a', 'b');
    await expect.poll(() => told).toEqual(['a', 'b']);
    for (const each of removed) subscriptions.remove('c', each);
    for (const each of addTwo('c', 'd')) subscriptions.remove('c', each);
    subscriptions.add('other', listener('other'));
    await expect.poll(() => told).toContain('other');
    addTwo('e', 'f');
    await expect.poll(() => told).toEqual(['a', 'b', 'other', 'e', 'f']);
    const closed = happens(connection(), 'close');
    await server.client().call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await closed;
    told.length = 0;
    subscriptions.add('c', listener('late'));
    expect(told).toEqual([]);
    await expect.poll(() => told).toContain('late');
  });

  it('listens after Redis was away to what is wanted then, and to nothing else', async () => {
    const { subscriptions, told, listener, connection } = listening();
    const gone = listener('gone');
    subscriptions.add('kept', listener('kept'));
    subscriptions.add('gone', gone);
    await expect.poll(() => told.toSorted()).toEqual(['gone', 'kept']);
    const away = happens(connection(), 'reconnecting');
    await server.kill();
    await away;
    const short = listener('short');
    subscriptions.remove('gone', gone);
    subscriptions.add('short', short);
    subscriptions.remove('short', short);
    subscriptions.add('new', listener('new'));
    await server.run();
    await expect.poll(() => told.toSorted()).toEqual(['gone', 'kept', 'kept', 'new']);
    expect(await channels()).toEqual(['kept', 'new']);
    expect(await timesCalled('subscribe')).toBe(1);
  });

  it('does not ask again for what nobody wants any more since it was lost', async () => {
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { subscriptions, told, listener, connection } = listening({ port: proxy.port });
    subscriptions.add('first', listener('first'));
    await expect.poll(() => told).toEqual(['first']);
    const away = happens(connection(), 'reconnecting');
    const unwanted = listener('unwanted');
    void proxy.cutAnswerTo((request) => request.includes('wanted'));
    subscriptions.add('wanted', listener('wanted'));
    subscriptions.add('unwanted', unwanted);
    await away;
    subscriptions.remove('unwanted', unwanted);
    await expect.poll(() => told).toEqual(['first', 'first', 'wanted']);
    expect(await channels()).toEqual(['first', 'wanted']);
  });

  it('lets go of a channel that is left while more are asked for than one command holds', async () => {
    const { subscriptions, told, listener } = listening();
    const last = listener('last');
    subscriptions.add('c0', {
      ...listener('first'),
      onListening: () => subscriptions.remove('c500', last),
    });
    for (let n = 1; n < 500; n += 1) subscriptions.add(`c${n}`, listener('other'));
    subscriptions.add('c500', last);
    subscriptions.add('c501', listener('end'));
    await expect.poll(() => told).toContain('end');
    expect(told).not.toContain('last');
    const left = Array.from({ length: 502 }, (_, n) => `c${n}`).filter((name) => name !== 'c500');
    await expect.poll(channels).toEqual(left.toSorted());
  });

  it('is made again when it is silent, and left alone while it answers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { subscriptions, told, listener, connection } = listening({ port: proxy.port });
    subscriptions.add('c', listener('c'));
    await expect.poll(() => told).toEqual(['c']);
    const cut = vi.spyOn(connection(), 'disconnect');
    const goesOn = async () => {
      told.length = 0;
      vi.advanceTimersByTime(PING_INTERVAL_MS);
      await expect.poll(() => told).toEqual(['c goes on']);
    };
    await goesOn();
    await goesOn();
    expect(cut).not.toHaveBeenCalled();
    proxy.fallSilent();
    told.length = 0;
    vi.advanceTimersByTime(2 * PING_INTERVAL_MS);
    expect(cut).toHaveBeenCalledExactlyOnceWith(true);
    await expect.poll(() => told).toEqual(['c']);
    await goesOn();
    await goesOn();
    expect(cut).toHaveBeenCalledOnce();
    subscriptions.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells nobody who comes while it is made again that it failed, also for a client that queues nothing', async () => {
    const client = server.client({ enableOfflineQueue: false });
    await happens(client, 'ready');
    const { subscriptions, told, listener, connection } = listeningWith(client);
    subscriptions.add('c', listener('c'));
    await expect.poll(() => told).toEqual(['c']);
    connection().disconnect(true);
    subscriptions.add('late', listener('late'));
    await expect.poll(() => told.toSorted()).toEqual(['c', 'c', 'late']);
  });
});

it('a connection that is not ready yet is not asked whether it is there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { subscriptions, listener, connection } = listeningWith(new Redis({ port, lazyConnect: true }));
  subscriptions.add('c', listener('c'));
  const made = connection();
  await happens(made, 'connect');
  const disconnect = vi.spyOn(made, 'disconnect');
  vi.advanceTimersByTime(2 * PING_INTERVAL_MS);
  expect(disconnect).not.toHaveBeenCalled();
});

it('a connection that ends does not take along the one that was made in its place', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    const isFirst = connections === 0;
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (!isFirst) return;
      for (const _command of data.toString().match(/^\*/gm) ?? []) socket.write('-NOAUTH no\r\n');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  const { subscriptions, told, listener, connection } = listeningWith(client);
  const onFailure: ChannelListener['onFailure'] = ({ code }) => {
    told.push(code);
    subscriptions.add('c', listener('next'));
  };
  subscriptions.add('c', { ...listener('first'), onFailure });
  await expect.poll(() => told).toEqual(['REDIS_NOT_PERMITTED']);
  await expect.poll(() => connection().status).toBe('connect');
  expect(told).toEqual(['REDIS_NOT_PERMITTED']);
});
