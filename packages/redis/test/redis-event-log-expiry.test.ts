import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { entry, opened, readAll, sessionId, frame, useSessions } from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

const HOUR = 3_600_000;

useSessions();

describe.skipIf(!hasRedis)('a session of redisEventLog', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  /** The remaining lifetimes of the current session's keys, in milliseconds. */
  const left = async () =>
    Promise.all(['state', 'events'].map((name) => server.client().pttl(`svc:{${sessionId}}:${name}`)));

  it('expires after expireAfterMs without an event, and stays when events arrive slowly', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = server.client();
    const log = opened({ client, expireAfterMs: 60_000 });
    const keys = ['state', 'events'].map((name) => `svc:{${sessionId}}:${name}`);
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    for (const ms of await left()) expect(ms).toSatisfy((each: number) => each > 60_000 && each <= 63_750);
    for (const key of keys) await client.pexpire(key, 60_000);
    vi.advanceTimersByTime(3000);
    await log.append(entry(2), { epoch });
    for (const ms of await left()) expect(ms).toBeLessThanOrEqual(60_000);
    // From now on, less than 60 seconds would be left.
    vi.advanceTimersByTime(751);
    await log.append(entry(3), { epoch });
    for (const ms of await left()) expect(ms).toBeGreaterThan(60_000);
    for (const key of keys) await client.pexpire(key, 0);
    expect(await log.inspect(sessionId)).toBeUndefined();
  });

  it('can be kept for a number of milliseconds not divisible by 16', async () => {
    const log = opened({ client: server.client(), expireAfterMs: 60_001 });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    expect(await readAll(log)).toBe(frame(1));
  });

  it('expires even if nothing is appended after it is opened', async () => {
    await opened({ client: server.client(), expireAfterMs: 60_000 }).open(sessionId);
    expect((await left())[0]).toSatisfy((ms: number) => ms > 60_000 && ms <= 63_750);
  });

  it('is kept for the expireAfterMs of its newest writer', async () => {
    for (const expireAfterMs of [HOUR, 100 * HOUR]) {
      const log = opened({ client: server.client(), expireAfterMs });
      const { epoch, headSeq } = await log.open(sessionId);
      await log.append(entry(headSeq + 1), { epoch });
      for (const ms of await left()) expect(ms).toBeGreaterThan(expireAfterMs);
    }
  });

  it('is also kept alive by a writer whose clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = opened({ client: server.client(), expireAfterMs: HOUR });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    vi.setSystemTime(Date.now() - HOUR);
    for (const name of ['state', 'events'])
      await server.client().pexpire(`svc:{${sessionId}}:${name}`, 60_000);
    await log.append(entry(2), { epoch });
    for (const ms of await left()) expect(ms).toBeGreaterThan(HOUR);
  });
});
