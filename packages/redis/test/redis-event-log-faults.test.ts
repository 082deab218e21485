import { inspect } from 'node:util';
import { EventBridge, type EventLog, type LogEvent, type LogPage } from '@svc/events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { redisEventLog, type RedisEventLogOptions } from '../src/index.js';
import { CuttingProxy } from './cutting-proxy.js';
import { hasRedis, RedisServer } from './redis-server.js';

const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];

let sessions = 0;
let sessionId = '';
beforeEach(() => {
  sessionId = `session-${(sessions += 1)}`;
});

const frame = (seq: number, size = 0) => `id: ${seq}\ndata: {"n":${seq}}${'x'.repeat(size)}\n\n`;
const entry = (seq: number, more: Partial<LogEvent> = {}): LogEvent => ({
  sessionId,
  seq,
  kind: 'event',
  frames: frame(seq),
  ...more,
});
const textOf = ({ bytes }: LogPage) => Buffer.from(bytes).toString();
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const frames = (from: number, to: number) =>
  range(from, to)
    .map((seq) => frame(seq))
    .join('');

/** Follows until all entries up to a number were read, and says how often each came. */
async function followTo(log: EventLog, until: number, afterSeq = 0): Promise<string> {
  let text = '';
  for await (const page of log.follow(sessionId, { afterSeq })) {
    text += textOf(page);
    if (page.firstSeq + page.ends.length - 1 >= until) return text;
  }
  return `${text}(ended)`;
}

async function readAll(log: EventLog): Promise<string> {
  let text = '';
  for (let afterSeq = 0; ;) {
    const page = await log.readAfter(sessionId, { afterSeq });
    if (page.ends.length === 0) return text;
    text += textOf(page);
    afterSeq = page.firstSeq + page.ends.length - 1;
  }
}

function opened(options: RedisEventLogOptions): EventLog {
  const log = redisEventLog(options);
  onTestFinished(() => log.close());
  return log;
}

describe.skipIf(!hasRedis)('a Redis that is killed', () => {
  let server: RedisServer;
  afterEach(() => server?.stop());

  it('has every acknowledged event when it comes back, and readers and writer go on', async () => {
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

  it('refuses in words of its own while it is away', async () => {
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

  it('shows what it lost as a new epoch and a gap', async () => {
    server = await RedisServer.start();
    const log = opened({ client: server.client({ maxRetriesPerRequest: null }) });
    const bridge = new EventBridge(sessionId, { log, logger: silent });
    onTestFinished(() => bridge.close({ keepSession: true }));
    for (const text of ['a', 'b', 'c']) await bridge.emitStatusMessage({ assistantId: 'x', message: text });
    const before = await collect(bridge.generateSse(), 3);
    const live = collect(bridge.generateSse({ lastEventId: idOf(before[2]) }));
    await vi.waitFor(() => expect(bridge.subscriberCount).toBe(1));
    await server.kill();
    await server.run();
    await expect(bridge.emitStatusMessage({ assistantId: 'x', message: 'lost' })).rejects.toMatchObject({
      code: 'EVENT_LOG_STALE_EPOCH',
    });
    await bridge.emitStatusMessage({ assistantId: 'x', message: 'd' });
    // The reader's session is gone, so its stream ends; with its cursor it is told so.
    expect(await live).toEqual([]);
    const [gap, next] = await collect(bridge.generateSse({ lastEventId: idOf(before[2]) }), 2);
    expect(gap).toContain('event: stream_gap');
    expect(gap).toContain('"reason":"epoch"');
    expect(next).toContain('"message":"d"');
    expect(idOf(next).split('-')[0]).not.toBe(idOf(before[2]).split('-')[0]);
  });

  it('ends readers when entries they have read were lost and others come in their place', async () => {
    server = await RedisServer.start();
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    for (const seq of range(1, 5)) await log.append(entry(seq), { epoch });
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    expect((await pages.next()).value?.ends).toHaveLength(5);
    const next = pages.next();
    // As after a restart from an older copy of the data.
    await client.xtrim(`svc:{${sessionId}}:events`, 'MAXLEN', 0);
    await client.hset(`svc:{${sessionId}}:state`, 'head', 3);
    await log.open(sessionId);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe.skipIf(!hasRedis)('a connection that is lost', () => {
  let server: RedisServer;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    proxy = await CuttingProxy.start(server.port);
  });
  afterEach(() => proxy.stop());
  afterAll(() => server?.stop());

  it.each([1, 10])('in mid-append of %i events stores each once', async (count) => {
    const log = opened({ client: server.client({ port: proxy.port }) });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    const cut = proxy.cutAnswerTo((request) => request.includes('"n":2}'));
    const appended = range(2, count + 1).map((seq) => log.append(entry(seq), { epoch }));
    await cut;
    await Promise.all(appended);
    await log.append(entry(count + 2), { epoch });
    expect(await readAll(log)).toBe(frames(1, count + 2));
  });

  it('while a session is opened opens it once', async () => {
    const log = opened({ client: server.client({ port: proxy.port }), createEpoch: () => 'mine' });
    const cut = proxy.cutAnswerTo((request) => request.includes('mine'));
    const opening = log.open(sessionId);
    await cut;
    const { epochs } = await opening;
    expect(epochs).toEqual([{ epoch: 'mine', fromSeq: 1 }]);
  });

  it('in mid-append of a client that does not send again leaves a session that can be opened', async () => {
    const client = server.client({ port: proxy.port, maxRetriesPerRequest: 0 });
    const log = opened({ client });
    const bridge = new EventBridge(sessionId, { log, logger: silent });
    onTestFinished(() => bridge.close({ keepSession: true }));
    await bridge.emitStatusMessage({ assistantId: 'x', message: 'one' });
    const cut = proxy.cutAnswerTo((request) => request.includes('two'));
    const refused = bridge.emitStatusMessage({ assistantId: 'x', message: 'two' }).catch((error) => error);
    await cut;
    expect(await refused).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    await bridge.emitStatusMessage({ assistantId: 'x', message: 'three' });
    const history = await bridge.history();
    const ids = history.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(history.map(({ data }) => (data as { message?: string }).message)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('of the one that listens is made again, and readers miss nothing', async () => {
    const writer = opened({ client: server.client() });
    const log = opened({ client: server.client({ port: proxy.port }) });
    const { epoch } = await writer.open(sessionId);
    const reading = [followTo(log, 300), followTo(log, 300, 0)];
    for (const seq of range(1, 300)) {
      await writer.append(entry(seq), { epoch });
      if (seq % 60 === 0) proxy.cut();
    }
    expect(await Promise.all(reading)).toEqual([frames(1, 300), frames(1, 300)]);
    expect(proxy.connections).toBeGreaterThan(2);
  });

  it('is noticed when it is half open and says nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const writer = opened({ client: server.client() });
    const reader = server.client({ port: proxy.port });
    const log = opened({ client: reader });
    const { epoch } = await writer.open(sessionId);
    await writer.append(entry(1), { epoch });
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    expect(textOf((await pages.next()).value as LogPage)).toBe(frame(1));
    const next = pages.next();
    proxy.fallSilent();
    reader.disconnect(true);
    await writer.append(entry(2), { epoch });
    vi.advanceTimersByTime(15_000);
    vi.advanceTimersByTime(15_000);
    expect(textOf((await next).value as LogPage)).toBe(frame(2));
  });

  it('because it falls silent under an append is made again where the client has a socketTimeout', async () => {
    const log = opened({ client: server.client({ port: proxy.port, socketTimeout: 200 }) });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    proxy.fallSilent();
    await log.append(entry(2), { epoch });
    expect(await readAll(log)).toBe(frames(1, 2));
  });

  it('for good fails those who follow, in words of its own', async () => {
    const client = server.client({ port: proxy.port, retryStrategy: () => null });
    const log = opened({ client });
    await log.open(sessionId);
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    const next = pages.next().catch((error) => error);
    await vi.waitFor(() => expect(proxy.connections).toBe(2));
    proxy.cut();
    expect(await next).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });
});

describe.skipIf(!hasRedis)('a Redis that refuses', () => {
  let server: RedisServer;
  afterEach(() => server?.stop());

  it('because its memory is used up stores nothing of the append, and goes on when there is room', async () => {
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

  it('says nothing of what it was sent', async () => {
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

  it('because it is a replica, or the user may not', async () => {
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

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  it('listens with one connection per log, however many sessions are followed', async () => {
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
    await vi.waitFor(async () => expect(await connected()).toBe(before));
    expect(client.status).toBe('ready');
  });

  it('does not listen to sessions that nobody follows any more', async () => {
    const client = server.client();
    const log = opened({ client });
    const channels = async () => await client.pubsub('CHANNELS', '*');
    const abort = new AbortController();
    const pages = log.follow(sessionId, { afterSeq: 0, signal: abort.signal })[Symbol.asyncIterator]();
    const next = pages.next();
    await vi.waitFor(async () => expect(await channels()).toHaveLength(1));
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await vi.waitFor(async () => expect(await channels()).toEqual([]));
  });

  it('sends large entries to those who follow by another way, in order', async () => {
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

  it('holds a bounded part of what a follower has not asked for', async () => {
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

  it('forgets a session that rests longer than expireAfterMs, and not one that goes on slowly', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = server.client();
    const log = opened({ client, expireAfterMs: 60_000 });
    const keys = ['state', 'events'].map((name) => `svc:{${sessionId}}:${name}`);
    const left = () => Promise.all(keys.map((key) => client.pttl(key)));
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    for (const ms of await left()) expect(ms).toSatisfy((each: number) => each > 60_000 && each <= 63_750);
    for (const key of keys) await client.pexpire(key, 60_000);
    vi.advanceTimersByTime(3000);
    await log.append(entry(2), { epoch });
    for (const ms of await left()) expect(ms).toBeLessThanOrEqual(60_000);
    vi.advanceTimersByTime(1000);
    await log.append(entry(3), { epoch });
    for (const ms of await left()) expect(ms).toBeGreaterThan(60_000);
    for (const key of keys) await client.pexpire(key, 0);
    expect(await log.inspect(sessionId)).toBeUndefined();
  });

  it('holds about maxEventsPerSession events when nobody trims', async () => {
    const log = opened({ client: server.client(), maxEventsPerSession: 100 });
    const { epoch } = await log.open(sessionId);
    await Promise.all(range(1, 1000).map((seq) => log.append(entry(seq), { epoch })));
    const status = await log.inspect(sessionId);
    expect(status?.headSeq).toBe(1000);
    expect(status?.oldestSeq).toBeGreaterThan(500);
    expect((await log.readAfter(sessionId, { afterSeq: 0 })).firstSeq).toBe(status?.oldestSeq);
  });

  it('goes on from the stream when the rest of a session was evicted', async () => {
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

  it('keeps logs of other prefixes, and of clients with a prefix of their own, apart', async () => {
    const plain = opened({ client: server.client() });
    const prefixed = opened({ client: server.client(), prefix: 'other:' });
    const own = opened({ client: server.client({ keyPrefix: 'app:' }) });
    for (const log of [plain, prefixed, own]) {
      const { epoch } = await log.open(sessionId);
      const reading = followTo(log, 1);
      await log.append(entry(1), { epoch });
      expect(await reading).toBe(frame(1));
      expect((await log.inspect(sessionId))?.epochs).toHaveLength(1);
    }
    const keys = await server.client().keys(`*{${sessionId}}:state`);
    expect(keys.sort()).toEqual([
      `app:svc:{${sessionId}}:state`,
      `other:{${sessionId}}:state`,
      `svc:{${sessionId}}:state`,
    ]);
  });

  it('teaches a server that has forgotten its scripts', async () => {
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
  ])('names an option that is out of range: %s', (name, options) => {
    const client = server.client({ lazyConnect: true });
    expect(() => redisEventLog({ client, ...options })).toThrow(RangeError);
    expect(() => redisEventLog({ client, ...options })).toThrow(name);
  });
});

const silent = { debug() {}, info() {}, warn() {}, error() {} };

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
