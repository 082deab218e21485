import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { EventLog } from '@svc/events';
import type { RunStore } from '@svc/contracts/orchestrator';
import { Redis, type RedisOptions } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { redisEventLog, redisRunStore } from '../src/index.js';
import { Subscriptions } from '../src/subscriptions.js';
import { hasRedis, RedisServer } from './redis-server.js';

const refused = { code: 'REDIS_NOT_PERMITTED', name: 'RedisError' };

describe.skipIf(!hasRedis)('a follower', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  const follow = (log: EventLog | RunStore, sessionId = 's1') =>
    log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
  function log(options: RedisOptions) {
    const opened = redisEventLog({ client: server.client({ maxRetriesPerRequest: null, ...options }) });
    onTestFinished(() => opened.close());
    return opened;
  }
  function store(options: RedisOptions) {
    const opened = redisRunStore({ client: server.client({ maxRetriesPerRequest: null, ...options }) });
    onTestFinished(() => opened.close());
    return opened;
  }
  const failureOf = (pending: Promise<unknown>): Promise<unknown> =>
    pending.then(
      () => 'nothing failed',
      (error: unknown) => error,
    );

  describe('that Redis rejects', () => {
    beforeEach(async () => {
      const admin = server.client();
      await admin.config('SET', 'requirepass', 'other');
      onTestFinished(async () => {
        await admin.config('SET', 'requirepass', '');
      });
    });

    it.each<[string, RedisOptions, string]>([
      ['without a password', {}, 'NOAUTH'],
      ['with a wrong password', { password: 'secret-7' }, 'WRONGPASS'],
      ['as an unknown user', { username: 'nobody', password: 'secret-7' }, 'WRONGPASS'],
    ])('%s gets the reason, as does a writer that opens the session', async (_, options, reason) => {
      const opened = log(options);
      const pages = follow(opened);
      const errors = await Promise.all([
        failureOf(pages.next()),
        failureOf(follow(store(options)).next()),
        failureOf(opened.open('s1')),
      ]);
      for (const error of errors) {
        expect(error).toMatchObject({
          ...refused,
          cause: { message: expect.stringContaining(reason) },
        });
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret-7');
      }
      expect(await pages.next()).toEqual({ done: true, value: undefined });
    });
  });

  it('of a session that is followed already gets what is stored', async () => {
    const opened = log({});
    const { epoch } = await opened.open('twice');
    await opened.append({ sessionId: 'twice', seq: 1, kind: 'event', frames: 'id: 1\n\n' }, { epoch });
    const page = { done: false, value: { firstSeq: 1, ends: [7] } };
    expect(await follow(opened, 'twice').next()).toMatchObject(page);
    expect(await follow(opened, 'twice').next()).toMatchObject(page);
  });

  it('whose password is changed gets the reason, and a later follower subscribes again', async () => {
    const admin = server.client();
    await admin.ping();
    const opened = log({});
    const writer = await log({}).open('s1');
    const waiting = failureOf(follow(opened).next());
    await expect.poll(() => admin.pubsub('CHANNELS', '*')).toHaveLength(1);
    await admin.config('SET', 'requirepass', 'other');
    await admin.auth('other');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    expect(await waiting).toMatchObject(refused);
    await admin.config('SET', 'requirepass', '');
    const next = follow(opened).next();
    await expect.poll(() => admin.pubsub('CHANNELS', '*')).toHaveLength(1);
    const event = { sessionId: 's1', seq: 1, kind: 'event' as const, frames: 'data: 1\n\n' };
    await opened.append(event, writer);
    expect((await next).done).toBe(false);
  });

  it('gets the reason when its subscription fails between two reads', async () => {
    const admin = server.client();
    await admin.ping();
    const client = server.client({ maxRetriesPerRequest: null });
    const duplicate = vi.spyOn(client, 'duplicate');
    const writing = store({});
    const run = { sessionId: 'r1', projectId: 'p', keyId: 'k', labels: {}, request: null };
    await writing.createRun({ ...run, owner: 'a', nowMs: 1, leaseMs: 1 });
    await writing.append('r1', { entries: [{ kind: 'event', data: 1 }], nowMs: 1 });
    await using reading = redisRunStore({ client });
    const records = follow(reading, 'r1');
    expect(await records.next()).toMatchObject({ value: [{ data: 1 }] });
    const connection = duplicate.mock.results[0]?.value as Redis;
    const disconnect = vi.spyOn(connection, 'disconnect');
    await admin.config('SET', 'requirepass', 'other');
    await admin.auth('other');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    // Disconnected for good: no reconnect is requested.
    await expect.poll(() => disconnect.mock.calls).toContainEqual([]);
    await admin.config('SET', 'requirepass', '');
    expect(await failureOf(records.next())).toMatchObject(refused);
    expect(await records.next()).toEqual({ done: true, value: undefined });
  });

  it('whose user may not select its database still receives published entries', async () => {
    const admin = server.client();
    await admin.call('ACL', 'SETUSER', 'noselect', 'on', '>pw', '~*', '&*', '+@all', '-select');
    const opened = log({ username: 'noselect', password: 'pw', db: 1 });
    const writer = await opened.open('s1');
    const next = follow(opened).next();
    const event = { sessionId: 's1', seq: writer.headSeq + 1, kind: 'event' as const, frames: 'data: 1\n\n' };
    await opened.append(event, writer);
    expect((await next).done).toBe(false);
    // Nor does that error end the connection when it is lost later.
    const later = follow(opened, 's-later').next();
    await expect.poll(() => admin.pubsub('CHANNELS', '*s-later*')).toHaveLength(1);
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    const other = { ...event, sessionId: 's-later', seq: 1 };
    await opened.append(other, await opened.open('s-later'));
    expect((await later).done).toBe(false);
  });

  it('that may not subscribe fails, even if there are more followers than one command subscribes', async () => {
    const admin = server.client();
    await admin.call('ACL', 'SETUSER', 'deaf', 'on', '>pw', '~*', 'resetchannels', '+@all');
    const opened = log({ username: 'deaf', password: 'pw' });
    const errors = await Promise.all(
      Array.from({ length: 501 }, (_, i) => failureOf(follow(opened, `s${i}`).next())),
    );
    for (const error of errors) expect(error).toMatchObject(refused);
  });

  it('that starts while Redis is away waits until it is back', async () => {
    const own = await RedisServer.start();
    onTestFinished(() => own.stop());
    const writing = redisEventLog({ client: own.client({ maxRetriesPerRequest: null }) });
    const client = own.client({ maxRetriesPerRequest: null });
    const reading = redisEventLog({ client });
    onTestFinished(() => Promise.all([writing.close(), reading.close()]).then(() => undefined));
    await own.kill();
    const next = follow(reading).next();
    await new Promise<void>((resolve) => client.once('reconnecting', () => resolve()));
    await own.run();
    const writer = await writing.open('s1');
    await writing.append({ sessionId: 's1', seq: 1, kind: 'event', frames: 'data: 1\n\n' }, writer);
    expect((await next).done).toBe(false);
  });
});

it('keeps reconnecting for a listener added after a refused one while Redis only hangs up', async () => {
  let [isRefusing, hangups] = [true, 0];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (isRefusing) {
        for (const _command of data.toString().match(/^\*/gm) ?? []) socket.write('-NOAUTH no\r\n');
      } else {
        hangups += 1;
        socket.end();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => 5 });
  const subscriptions = new Subscriptions(client);
  onTestFinished(() => {
    subscriptions.close();
    client.disconnect();
    server.close();
  });
  const failures: string[] = [];
  const follow = () =>
    subscriptions.add('c', {
      onMessage() {},
      onListening() {},
      onFailure({ code }) {
        failures.push(code);
        isRefusing = false;
        follow();
      },
    });
  follow();
  await expect.poll(() => hangups, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(failures).toEqual(['REDIS_NOT_PERMITTED']);
});
