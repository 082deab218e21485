import { EventBridge, type LogPage } from '@svc/events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CuttingProxy } from './cutting-proxy.js';
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
  textOf,
  useSessions,
} from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

describe.skipIf(!hasRedis)('redisEventLog on an unreliable connection', () => {
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

  it.each([1, 10])('stores each event once when the reply to an append of %i is lost', async (count) => {
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

  it('opens a session once when the reply is lost', async () => {
    const log = opened({ client: server.client({ port: proxy.port }), createEpoch: () => 'mine' });
    const cut = proxy.cutAnswerTo((request) => request.includes('mine'));
    const opening = log.open(sessionId);
    await cut;
    const { epochs } = await opening;
    expect(epochs).toEqual([{ epoch: 'mine', fromSeq: 1 }]);
  });

  it('can still write to a session if the client does not resend an append whose reply was lost', async () => {
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

  it('reopens the listening connection each time it is cut, and readers miss nothing', async () => {
    const writer = opened({ client: server.client() });
    const log = opened({ client: server.client({ port: proxy.port }) });
    const { epoch } = await writer.open(sessionId);
    const reading = [followTo(log, 300), followTo(log, 300)];
    for (const seq of range(1, 300)) {
      await writer.append(entry(seq), { epoch });
      if (seq % 60 === 0) proxy.cut();
    }
    expect(await Promise.all(reading)).toEqual([frames(1, 300), frames(1, 300)]);
    expect(proxy.connections).toBeGreaterThan(2);
  });

  it('notices a half-open listening connection, and delivers what was appended meanwhile', async () => {
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

  it('stores an append on a connection that has gone silent if the client has a socketTimeout', async () => {
    const log = opened({ client: server.client({ port: proxy.port, socketTimeout: 200 }) });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    proxy.fallSilent();
    await log.append(entry(2), { epoch });
    expect(await readAll(log)).toBe(frames(1, 2));
  });

  it('fails a follower with REDIS_UNAVAILABLE when the client does not reconnect', async () => {
    const client = server.client({ port: proxy.port, retryStrategy: () => null });
    const log = opened({ client });
    await log.open(sessionId);
    const pages = log.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    const next = pages.next().catch((error) => error);
    await expect.poll(() => proxy.connections).toBe(2);
    proxy.cut();
    expect(await next).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });
});
