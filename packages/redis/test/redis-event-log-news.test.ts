import type { LogPage } from '@svc/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry, frame, opened, sessionId, textOf, useSessions } from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

const channelOf = (session: string) => `svc:{${session}}:news`;

describe.skipIf(!hasRedis)('a follower of redisEventLog in another process', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  /** A writer, a follower that has read the first entry and waits for more, and the messages published from then on. */
  async function following() {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    const follower = opened({ client: server.client() }).follow(sessionId, { afterSeq: 0 });
    const pages = follower[Symbol.asyncIterator]();
    await log.append(entry(1), { epoch });
    await pages.next();
    const listener = server.client();
    const published: string[] = [];
    listener.on('message', (_channel, message) => published.push(message));
    await listener.subscribe(channelOf(sessionId));
    return { log, epoch, next: pages.next(), published };
  }

  it('gets the safe frames together with the entries', async () => {
    const { log, epoch, next, published } = await following();
    const safe = ['id: 2\ndata: ünsichtbar\n\n', 'id: 4\ndata: {}\n\n'];
    const entries = [entry(2, { safeFrames: safe[0] }), entry(3), entry(4, { safeFrames: safe[1] })];
    await Promise.all(entries.map((each) => log.append(each, { epoch })));
    const page = (await next).value as LogPage;
    expect(textOf(page)).toBe(frame(2) + frame(3) + frame(4));
    expect([...(page.safeFrames ?? [])]).toEqual([
      [2, safe[0]],
      [4, safe[1]],
    ]);
    await server.client().publish(channelOf(sessionId), 'sentinel');
    await expect.poll(() => published).toEqual([expect.stringMatching(/^page 2 /), 'sentinel']);
  });

  it.each([
    [128 * 1024, /^page 2 /],
    [128 * 1024 + 1, /^more$/],
  ])('gets an entry of %i bytes, announced by a message that matches %s', async (size, expected) => {
    const { log, epoch, next, published } = await following();
    const frames = frame(2, size - frame(2).length);
    await log.append(entry(2, { frames }), { epoch });
    expect(textOf((await next).value as LogPage)).toBe(frames);
    await expect.poll(() => published).toEqual([expect.stringMatching(expected)]);
  });

  it('ends when the session is removed', async () => {
    const { log, next } = await following();
    await log.remove(sessionId);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
