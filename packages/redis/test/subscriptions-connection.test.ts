import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ChannelListener, Subscriptions } from '../src/subscriptions.js';
import { CuttingProxy } from './cutting-proxy.js';
import { hasRedis, RedisServer } from './redis-server.js';

const PING_INTERVAL_MS = 15_000;

/** Waits for an event, regardless of errors meanwhile. */
const happens = (client: Redis, event: string) =>
  new Promise<void>((resolve) => client.once(event, () => resolve()));

/** Subscriptions whose connection the test can inspect once a listener is added. */
function listeningWith(client: Redis) {
  const duplicate = vi.spyOn(client, 'duplicate');
  const subscriptions = new Subscriptions(client);
  onTestFinished(() => subscriptions.close());
  const notices: string[] = [];
  const listener = (name: string): ChannelListener => ({
    onMessage: (message) => void notices.push(`${name} gets ${message.toString()}`),
    onListening: () => void notices.push(name),
    onPong: () => void notices.push(`${name} pong`),
    onFailure: ({ code }) => void notices.push(`${name}: ${code}`),
  });
  const connection = () => duplicate.mock.results.at(-1)?.value as Redis;
  return { subscriptions, notices, listener, connection };
}

describe.skipIf(!hasRedis)('the listening connection', () => {
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

  it('subscribes to a channel once for many listeners, and unsubscribes with the last one', async () => {
    const { subscriptions, notices, listener } = listening();
    const [first, second, third] = [listener('first'), listener('second'), listener('third')];
    subscriptions.add('c', first);
    subscriptions.add('c', second);
    expect(notices).toEqual([]);
    await expect.poll(() => notices).toEqual(['first', 'second']);
    subscriptions.add('c', third);
    expect(notices).toEqual(['first', 'second', 'third']);
    subscriptions.remove('c', first);
    await server.client().publish('c', 'news');
    await expect.poll(() => notices).toContain('second gets news');
    expect(notices).not.toContain('first gets news');
    subscriptions.remove('c', second);
    expect(await channels()).toEqual(['c']);
    subscriptions.remove('c', third);
    await expect.poll(channels).toEqual([]);
    expect(await timesCalled('subscribe')).toBe(1);
    expect(await timesCalled('unsubscribe')).toBe(1);
  });

  it('notifies a new listener only once the channel is subscribed, not because it was before', async () => {
    const { subscriptions, notices, listener, connection } = listening();
    /** The second listener is not notified just because there is a first. */
    const addTwo = (...names: [string, string]) => {
      const two = names.map(listener);
      const before = [...notices];
      for (const each of two) subscriptions.add('c', each);
      expect(notices).toEqual(before);
      return two;
    };
    const removed = addTwo('a', 'b');
    await expect.poll(() => notices).toEqual(['a', 'b']);
    for (const each of removed) subscriptions.remove('c', each);
    for (const each of addTwo('c', 'd')) subscriptions.remove('c', each);
    subscriptions.add('other', listener('other'));
    await expect.poll(() => notices).toContain('other');
    addTwo('e', 'f');
    await expect.poll(() => notices).toEqual(['a', 'b', 'other', 'e', 'f']);
    const closed = happens(connection(), 'close');
    await server.client().call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await closed;
    notices.length = 0;
    subscriptions.add('c', listener('late'));
    expect(notices).toEqual([]);
    await expect.poll(() => notices).toContain('late');
  });

  it('subscribes after a Redis outage only to the channels that still have listeners', async () => {
    const { subscriptions, notices, listener, connection } = listening();
    const gone = listener('gone');
    subscriptions.add('kept', listener('kept'));
    subscriptions.add('gone', gone);
    await expect.poll(() => notices.toSorted()).toEqual(['gone', 'kept']);
    const away = happens(connection(), 'reconnecting');
    await server.kill();
    await away;
    const short = listener('short');
    subscriptions.remove('gone', gone);
    subscriptions.add('short', short);
    subscriptions.remove('short', short);
    subscriptions.add('new', listener('new'));
    await server.run();
    await expect.poll(() => notices.toSorted()).toEqual(['gone', 'kept', 'kept', 'new']);
    expect(await channels()).toEqual(['kept', 'new']);
    expect(await timesCalled('subscribe')).toBe(1);
  });

  it('does not resubscribe to a channel whose listener left while the connection was lost', async () => {
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { subscriptions, notices, listener, connection } = listening({ port: proxy.port });
    subscriptions.add('first', listener('first'));
    await expect.poll(() => notices).toEqual(['first']);
    const away = happens(connection(), 'reconnecting');
    const unwanted = listener('unwanted');
    void proxy.cutAnswerTo((request) => request.includes('wanted'));
    subscriptions.add('wanted', listener('wanted'));
    subscriptions.add('unwanted', unwanted);
    await away;
    subscriptions.remove('unwanted', unwanted);
    await expect.poll(() => notices).toEqual(['first', 'first', 'wanted']);
    expect(await channels()).toEqual(['first', 'wanted']);
  });

  it('drops a channel whose listener leaves before the second of two subscribe commands is answered', async () => {
    const { subscriptions, notices, listener } = listening();
    const last = listener('last');
    subscriptions.add('c0', {
      ...listener('first'),
      onListening: () => subscriptions.remove('c500', last),
    });
    for (let n = 1; n < 500; n += 1) subscriptions.add(`c${n}`, listener('other'));
    subscriptions.add('c500', last);
    subscriptions.add('c501', listener('end'));
    await expect.poll(() => notices).toContain('end');
    expect(notices).not.toContain('last');
    const left = Array.from({ length: 502 }, (_, n) => `c${n}`).filter((name) => name !== 'c500');
    await expect.poll(channels).toEqual(left.toSorted());
  });

  it('is reopened when it stops answering pings, and kept while it answers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { subscriptions, notices, listener, connection } = listening({ port: proxy.port });
    subscriptions.add('c', listener('c'));
    await expect.poll(() => notices).toEqual(['c']);
    const cut = vi.spyOn(connection(), 'disconnect');
    const expectPong = async () => {
      notices.length = 0;
      vi.advanceTimersByTime(PING_INTERVAL_MS);
      await expect.poll(() => notices).toEqual(['c pong']);
    };
    await expectPong();
    await expectPong();
    expect(cut).not.toHaveBeenCalled();
    proxy.fallSilent();
    notices.length = 0;
    vi.advanceTimersByTime(2 * PING_INTERVAL_MS);
    expect(cut).toHaveBeenCalledExactlyOnceWith(true);
    await expect.poll(() => notices).toEqual(['c']);
    await expectPong();
    await expectPong();
    expect(cut).toHaveBeenCalledOnce();
    subscriptions.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is reopened when it stops answering pings, even if commands of the client time out', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { subscriptions, notices, listener, connection } = listening({
      port: proxy.port,
      commandTimeout: 1_000,
    });
    subscriptions.add('c', listener('c'));
    await expect.poll(() => notices).toEqual(['c']);
    const cut = vi.spyOn(connection(), 'disconnect');
    proxy.fallSilent();
    await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
    subscriptions.add('late', listener('late'));
    await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
    expect(cut).toHaveBeenCalledExactlyOnceWith(true);
    expect(notices).toEqual(['c']);
  });

  it('reports no failure to a listener added while it reconnects, even if the client has no offline queue', async () => {
    const client = server.client({ enableOfflineQueue: false });
    await happens(client, 'ready');
    const { subscriptions, notices, listener, connection } = listeningWith(client);
    subscriptions.add('c', listener('c'));
    await expect.poll(() => notices).toEqual(['c']);
    connection().disconnect(true);
    subscriptions.add('late', listener('late'));
    await expect.poll(() => notices.toSorted()).toEqual(['c', 'c', 'late']);
  });
});

it('does not ping a connection that is not ready yet', async () => {
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

it('keeps the new connection when the one it replaced ends', async () => {
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
  const { subscriptions, notices, listener, connection } = listeningWith(client);
  const onFailure: ChannelListener['onFailure'] = ({ code }) => {
    notices.push(code);
    subscriptions.add('c', listener('next'));
  };
  subscriptions.add('c', { ...listener('first'), onFailure });
  await expect.poll(() => notices).toEqual(['REDIS_NOT_PERMITTED']);
  await expect.poll(() => connection().status).toBe('connect');
  expect(notices).toEqual(['REDIS_NOT_PERMITTED']);
});
