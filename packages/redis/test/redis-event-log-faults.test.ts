import { inspect } from 'node:util';
import { EventBridge } from '@svc/events';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  entry,
  followTo,
  frame,
  frames,
  opened,
  range,
  readAll,
  sessionId,
  silent,
  useSessions,
} from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];

useSessions();

describe.skipIf(!hasRedis)('redisEventLog when Redis is killed', () => {
  let server: RedisServer;
  afterEach(() => server?.stop());

  it('keeps every acknowledged event, and readers and the writer continue after the restart', async () => {
    server = await RedisServer.start(durable);
    const log = opened({ client: server.client({ maxRetriesPerRequest: null }) });
    const { epoch } = await log.open(sessionId);
    const reading = followTo(log, 60);
    for (const seq of range(1, 30)) await log.append(entry(seq), { epoch });
    const unanswered = range(31, 40).map((seq) => log.append(entry(seq), { epoch }));
    await server.kill();
    await server.run();
    await Promise.all(unanswered);
    for (const seq of range(41, 60)) await log.append(entry(seq), { epoch });
    expect(await readAll(log)).toBe(frames(1, 60));
    expect(await reading).toBe(frames(1, 60));
  });

  it('refuses further appends and opens while 10,000 events wait, until Redis is back', async () => {
    server = await RedisServer.start(durable);
    const log = opened({ client: server.client({ maxRetriesPerRequest: null }) });
    const { epoch } = await log.open(sessionId);
    await server.kill();
    const sent = log.append(entry(1), { epoch });
    await Promise.resolve();
    const waiting = range(2, 10_001).map((seq) => log.append(entry(seq), { epoch }));
    const settled = Promise.allSettled([sent, ...waiting]);
    const refusal = { code: 'REDIS_UNAVAILABLE', message: expect.stringContaining('10000 events') };
    await expect(log.append(entry(10_002), { epoch })).rejects.toMatchObject(refusal);
    await expect(log.open(sessionId, { epoch })).rejects.toMatchObject(refusal);
    await server.run();
    expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await log.open(sessionId, { epoch })).toMatchObject({ headSeq: 10_001 });
  });

  it('rejects with REDIS_UNAVAILABLE while Redis is away', async () => {
    server = await RedisServer.start();
    const log = opened({ client: server.client({ maxRetriesPerRequest: 1 }) });
    const { epoch } = await log.open(sessionId);
    await server.kill();
    await expect(log.append(entry(1), { epoch })).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    await expect(log.inspect(sessionId)).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    await expect(log.readAfter(sessionId, { afterSeq: 0 })).rejects.toMatchObject({
      code: 'REDIS_UNAVAILABLE',
    });
  });

  it('reports lost events as a gap, in a new epoch', async () => {
    server = await RedisServer.start();
    const log = opened({ client: server.client({ maxRetriesPerRequest: null }) });
    const bridge = new EventBridge(sessionId, { log, logger: silent });
    onTestFinished(() => bridge.close({ keepSession: true }));
    for (const text of ['a', 'b', 'c']) await bridge.emitStatusMessage({ assistantId: 'x', message: text });
    const before = await collect(bridge.generateSse(), 3);
    const live = collect(bridge.generateSse({ lastEventId: idOf(before[2]) }));
    await expect.poll(() => bridge.subscriberCount).toBe(1);
    await server.kill();
    await server.run();
    await expect(bridge.emitStatusMessage({ assistantId: 'x', message: 'lost' })).rejects.toMatchObject({
      code: 'EVENT_LOG_STALE_EPOCH',
    });
    await bridge.emitStatusMessage({ assistantId: 'x', message: 'd' });
    // The reader's session is gone, so its stream ends; when it reconnects with its cursor, it gets a gap.
    expect(await live).toEqual([]);
    const [gap, next] = await collect(bridge.generateSse({ lastEventId: idOf(before[2]) }), 2);
    expect(gap).toContain('event: stream_gap');
    expect(gap).toContain('"reason":"epoch"');
    expect(next).toContain('"message":"d"');
    expect(idOf(next).split('-')[0]).not.toBe(idOf(before[2]).split('-')[0]);
  });

  it('ends followers when entries they have read are lost', async () => {
    server = await RedisServer.start();
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    for (const seq of range(1, 5)) await log.append(entry(seq), { epoch });
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    expect((await pages.next()).value?.ends).toHaveLength(5);
    const next = pages.next();
    // The state after a restart from an older backup.
    await client.xtrim(`svc:{${sessionId}}:events`, 'MAXLEN', 0);
    await client.hset(`svc:{${sessionId}}:state`, 'head', 3);
    await log.open(sessionId);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe.skipIf(!hasRedis)('redisEventLog when an operation fails', () => {
  let server: RedisServer;
  afterEach(() => server?.stop());

  it('stores nothing of an append when memory is full, and appends again once there is room', async () => {
    server = await RedisServer.start(durable);
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    await client.config('SET', 'maxmemory', '1');
    const error: unknown = await log
      .append(entry(2, { frames: frame(2, 10_000) }), { epoch })
      .catch((e) => e);
    expect(error).toMatchObject({ code: 'REDIS_OUT_OF_MEMORY', name: 'RedisError' });
    expect(await readAll(log)).toBe(frame(1));
    await client.config('SET', 'maxmemory', '0');
    await log.append(entry(2), { epoch });
    expect(await readAll(log)).toBe(frames(1, 2));
  });

  it('leaves the data of an append out of the error', async () => {
    server = await RedisServer.start();
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    await client.config('SET', 'maxmemory', '1');
    const error: unknown = await log
      .append(entry(1, { frames: 'data: secret-7\n\n' }), { epoch })
      .catch((e) => e);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret-7');
    expect(JSON.stringify(error)).not.toContain('secret-7');
  });

  it.each([
    ['checkpoint', 'HSET', 'state', 'checkpoint'],
    ['note', 'XADD', 'events', '2-0', 'f', frame(2), 'n'],
  ])(
    'refuses to open a session with a malformed %s without repeating it, and still reads its entries',
    async (_, ...at) => {
      server = await RedisServer.start();
      const client = server.client();
      const log = opened({ client });
      const { epoch } = await log.open(sessionId);
      await log.append(entry(1), { epoch });
      const [command, key, ...values] = at;
      await client.call(String(command), `svc:{${sessionId}}:${key}`, ...values, '{"a":secret-7');
      await client.hset(`svc:{${sessionId}}:state`, 'head', 2);
      const error: unknown = await log.open(sessionId).catch((e) => e);
      expect(error).toMatchObject({ code: 'REDIS_FAILED', message: expect.stringContaining(sessionId) });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret');
      expect(await readAll(log)).toContain(frame(1));
    },
  );

  it('reports a missing permission and a read-only replica', async () => {
    server = await RedisServer.start();
    const client = server.client();
    const log = opened({ client });
    await client.call('ACL', 'SETUSER', 'reader', 'on', '>pw', '~*', '&*', '+@read', '+@connection', '+info');
    const reader = opened({ client: server.client({ username: 'reader', password: 'pw' }) });
    await expect(reader.open(sessionId)).rejects.toMatchObject({ code: 'REDIS_NOT_PERMITTED' });
    const inside = ['+eval', '+evalsha', '+@connection', '+info'];
    await client.call('ACL', 'SETUSER', 'caller', 'on', '>pw', '~*', '&*', ...inside);
    const caller = opened({ client: server.client({ username: 'caller', password: 'pw' }) });
    await expect(caller.open(sessionId)).rejects.toMatchObject({ code: 'REDIS_NOT_PERMITTED' });
    await client.replicaof('127.0.0.1', 1);
    await expect(log.open(sessionId)).rejects.toMatchObject({ code: 'REDIS_READ_ONLY' });
  });
});

async function collect(stream: AsyncIterable<string>, count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const events: string[] = [];
  if (count === 0) return events;
  for await (const text of stream) {
    events.push(...text.split(/(?<=\n\n)/).filter((each) => each.startsWith('id:')));
    if (events.length >= count) break;
  }
  return events;
}

function idOf(event: string | undefined): string {
  return /^id: (.*)$/m.exec(event ?? '')?.[1] ?? '';
}
