import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry, followTo, frame, opened, sessionId, useSessions } from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  it('keeps logs in different databases of a server apart, although databases share channels', async () => {
    const first = opened({ client: server.client() });
    const other = opened({ client: server.client({ db: 1 }) });
    const writers = [await first.open(sessionId), await other.open(sessionId)] as const;
    const reading = followTo(other, 1);
    await expect.poll(() => server.client().pubsub('CHANNELS', `*{${sessionId}}*`)).toHaveLength(1);
    await first.append(entry(1), { epoch: writers[0].epoch });
    await other.append(entry(1, { frames: frame(1, 5) }), { epoch: writers[1].epoch });
    expect(await reading).toBe(frame(1, 5));
  });
});
