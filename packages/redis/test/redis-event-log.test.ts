import type { LogPage } from '@svc/events';
import { describeEventLog } from '@svc/events/testing';
import type { RedisOptions } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { redisEventLog } from '../src/index.js';
import { addLimitedUser, deniedCommands, limitedUser } from './limited-user.js';
import {
  entry,
  followTo,
  frame,
  frames,
  opened,
  range,
  readAll,
  sessionId,
  textOf,
  useSessions,
} from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    await addLimitedUser(server, 'test-');
  });
  afterAll(() => server?.stop());

  describeEventLog('redisEventLog', async () => {
    const prefix = `test-${(prefixes += 1)}:`;
    const connect = async () => redisEventLog({ client: server.client(limitedUser), prefix });
    return { log: await connect(), connect, isDurable: true };
  });

  it('needs no permissions beyond those that the guide names', async () => {
    expect(await deniedCommands(server)).toEqual([]);
  });
});

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  it('keeps only the newest 32 writers of a session, because they are read with every page', async () => {
    const log = opened({ client: server.client() });
    const epochs: string[] = [];
    for (let count = 0; count < 35; count += 1) epochs.push((await log.open(sessionId)).epoch);
    const status = await log.inspect(sessionId);
    expect(status?.epochs.map(({ epoch }) => epoch)).toEqual(epochs.slice(-32));
  });

  it('sends the checkpoint to whoever opens the session, and not with every page', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    const checkpoint = 'c'.repeat(1024 * 1024);
    await log.trim(sessionId, { throughSeq: 0, checkpoint, epoch });
    const sentBytes = async () => Number(/net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]);
    const before = await sentBytes();
    expect(textOf(await log.readAfter(sessionId, { afterSeq: 0 }))).toBe(frame(1));
    expect(await log.inspect(sessionId)).not.toHaveProperty('checkpoint');
    expect((await sentBytes()) - before).toBeLessThan(64 * 1024);
    expect((await log.open(sessionId)).checkpoint).toBe(checkpoint);
  });

  it('listens over one connection per log, however many sessions are followed', async () => {
    const client = server.client();
    await client.ping();
    const connected = async () =>
      String(await client.client('LIST'))
        .trim()
        .split('\n').length;
    const before = await connected();
    const log = opened({ client });
    const ids = range(1, 600).map((n) => `${sessionId}-${n}`);
    const first = ids.map((id) => log.follow(id, { afterSeq: 0 })[Symbol.asyncIterator]().next());
    for (const id of ids) {
      const { epoch } = await log.open(id);
      await log.append({ ...entry(1), sessionId: id }, { epoch });
    }
    for (const { value } of await Promise.all(first)) expect(textOf(value as LogPage)).toBe(frame(1));
    expect(await connected()).toBe(before + 1);
    await log.close();
    await expect.poll(connected).toBe(before);
    expect(client.status).toBe('ready');
  });

  it('is closed at the end of an "await using" block, and leaves the client open', async () => {
    const client = server.client();
    const log = redisEventLog({ client });
    {
      await using used = log;
      await used.open(sessionId);
    }
    await expect(log.open(sessionId)).rejects.toMatchObject({ code: 'EVENT_LOG_CLOSED' });
    expect(await client.ping()).toBe('PONG');
  });

  it('unsubscribes from a session that nobody follows any more', async () => {
    const client = server.client();
    const log = opened({ client });
    const channels = async () => await client.pubsub('CHANNELS', '*');
    const abort = new AbortController();
    const pages = log.follow(sessionId, { afterSeq: 0, signal: abort.signal })[Symbol.asyncIterator]();
    const next = pages.next();
    await expect.poll(channels).toHaveLength(1);
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await expect.poll(channels).toEqual([]);
  });

  it('delivers small and large entries to a follower in order', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    const read = (async () => {
      let text = '';
      for (let last = 0; last < 6;) {
        const page = (await pages.next()).value as LogPage;
        text += textOf(page);
        last = page.firstSeq + page.ends.length - 1;
      }
      return text;
    })();
    const sizes = [1, 200_000, 2, 300_000, 3, 4];
    for (const [i, size] of sizes.entries())
      await log.append(entry(i + 1, { frames: frame(i + 1, size) }), { epoch });
    expect(await read).toBe(sizes.map((size, i) => frame(i + 1, size)).join(''));
  });

  it('returns 200 small entries per page', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    await Promise.all(range(1, 450).map((seq) => log.append(entry(seq), { epoch })));
    const pages = await Promise.all([0, 200, 400].map((afterSeq) => log.readAfter(sessionId, { afterSeq })));
    expect(pages.map(({ ends }) => ends.length)).toEqual([200, 200, 50]);
    expect(pages.map(textOf).join('')).toBe(frames(1, 450));
  });

  it('returns a few large entries per page, and an entry larger than a page alone', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    const sizes = [...range(1, 30).map(() => 100_000), 2_000_000, 1];
    for (const [i, size] of sizes.entries())
      await log.append(entry(i + 1, { frames: frame(i + 1, size) }), { epoch });
    const pages: number[] = [];
    for (let afterSeq = 0; afterSeq < sizes.length;) {
      const page = await log.readAfter(sessionId, { afterSeq });
      expect(page.firstSeq).toBe(afterSeq + 1);
      pages.push(page.ends.length);
      afterSeq += page.ends.length;
    }
    expect(pages).toEqual([5, 5, 5, 5, 5, 5, 1, 1]);
    expect(await followTo(log, sizes.length)).toBe(await readAll(log));
  });

  it('delivers every entry in order to a follower that falls behind', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    const first = pages.next();
    await log.append(entry(1), { epoch });
    expect(textOf((await first).value as LogPage)).toBe(frame(1));
    const count = 60;
    for (const seq of range(2, count))
      await log.append(entry(seq, { frames: frame(seq, 50_000) }), { epoch });
    let text = '';
    for (let last = 1; last < count;) {
      const page = (await pages.next()).value as LogPage;
      expect(page.firstSeq).toBe(last + 1);
      text += textOf(page);
      last = page.firstSeq + page.ends.length - 1;
    }
    expect(text).toBe(
      range(2, count)
        .map((seq) => frame(seq, 50_000))
        .join(''),
    );
  });

  it('keeps about maxEventsPerSession events if nothing trims the session', async () => {
    const log = opened({ client: server.client(), maxEventsPerSession: 100 });
    const { epoch } = await log.open(sessionId);
    await Promise.all(range(1, 1000).map((seq) => log.append(entry(seq), { epoch })));
    const status = await log.inspect(sessionId);
    expect(status?.headSeq).toBe(1000);
    expect(status?.oldestSeq).toBeGreaterThan(500);
    expect((await log.readAfter(sessionId, { afterSeq: 0 })).firstSeq).toBe(status?.oldestSeq);
  });

  it('continues from the stream when the state of a session was evicted', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    for (const seq of range(1, 3)) await log.append(entry(seq, { note: seq }), { epoch });
    await client.del(`svc:{${sessionId}}:state`);
    await expect(log.append(entry(4), { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_STALE_EPOCH' });
    const opened2 = await log.open(sessionId);
    expect(opened2).toMatchObject({
      headSeq: 3,
      oldestSeq: 1,
      notes: range(1, 3).map((n) => ({ seq: n, note: n })),
    });
    await log.append(entry(4), { epoch: opened2.epoch });
    expect(await readAll(log)).toBe(frames(1, 4));
  });

  it('keeps logs with different prefixes apart, including a keyPrefix of the client', async () => {
    const plain = opened({ client: server.client() });
    const prefixed = opened({ client: server.client(), prefix: 'other:' });
    const own = opened({ client: server.client({ keyPrefix: 'app:' }) });
    const channels = () => server.client().pubsub('CHANNELS', `*{${sessionId}}*`);
    for (const [begin, log] of [
      ['svc:', plain],
      ['other:', prefixed],
      ['app:svc:', own],
    ] as const) {
      const { epoch } = await log.open(sessionId);
      const reading = followTo(log, 1);
      await expect.poll(channels).toEqual([`${begin}{${sessionId}}:news`]);
      await log.append(entry(1), { epoch });
      expect(await reading).toBe(frame(1));
      expect((await log.inspect(sessionId))?.epochs).toHaveLength(1);
      await expect.poll(channels).toEqual([]);
    }
    const keys = await server.client().keys(`*{${sessionId}}:state`);
    expect(keys.sort()).toEqual([
      `app:svc:{${sessionId}}:state`,
      `other:{${sessionId}}:state`,
      `svc:{${sessionId}}:state`,
    ]);
  });

  it('keeps a session for 7 days and 100,000 events by default', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    const steps = vi.spyOn(client, 'evalsha');
    await log.append(entry(1), { epoch });
    const days = (await client.pttl(`svc:{${sessionId}}:events`)) / 86_400_000;
    expect(days).toSatisfy((each: number) => each > 7 && each < 7.5);
    expect(steps.mock.lastCall).toContain(100_000);
  });

  it.each<RedisOptions>([{ enableAutoPipelining: true }, { stringNumbers: true }, { protocol: 3 }])(
    'works with the client options %o',
    async (options) => {
      const log = opened({ client: server.client(options) });
      const { epoch } = await log.open(sessionId);
      const reading = followTo(log, 3);
      await Promise.all(range(1, 3).map((seq) => log.append(entry(seq), { epoch })));
      expect(await reading).toBe(frames(1, 3));
      expect(await log.inspect(sessionId)).toMatchObject({ oldestSeq: 1, headSeq: 3 });
    },
  );

  it('sends its scripts again to a server that has lost them', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    await client.script('FLUSH');
    const appended = range(2, 40).map((seq) => log.append(entry(seq), { epoch }));
    await Promise.all(appended);
    expect(await readAll(log)).toBe(frames(1, 40));
  });

  it.each([
    ['expireAfterMs', { expireAfterMs: 0 }],
    ['maxEventsPerSession', { maxEventsPerSession: 1.5 }],
  ])('names %s in the error when it is out of range', (name, options) => {
    const client = server.client({ lazyConnect: true });
    expect(() => redisEventLog({ client, ...options })).toThrow(RangeError);
    expect(() => redisEventLog({ client, ...options })).toThrow(name);
  });
});
