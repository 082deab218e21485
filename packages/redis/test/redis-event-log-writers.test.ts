import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { entry, frame, frames, opened, range, readAll, sessionId, useSessions } from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

describe.skipIf(!hasRedis)('a writer of redisEventLog', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  it('sends the entries appended in one event loop turn as one step', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    await log.append(entry(1), { epoch });
    const steps = vi.spyOn(client, 'evalsha');
    await Promise.all(range(2, 11).map((seq) => log.append(entry(seq), { epoch })));
    expect(steps).toHaveBeenCalledOnce();
    expect(await readAll(log)).toBe(frames(1, 11));
  });

  it('records the kind of the last entry of a step, and the last turn start in it', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    expect(await log.inspect(sessionId)).toMatchObject({ headSeq: 0, turnSeq: 0, headKind: undefined });
    const kinds = ['turn_start', 'turn_end', 'turn_start', 'turn_end', 'event'] as const;
    await Promise.all(kinds.map((kind, n) => log.append(entry(n + 1, { kind }), { epoch })));
    expect(await log.inspect(sessionId)).toMatchObject({ headSeq: 5, turnSeq: 3, headKind: 'event' });
  });

  it('also trims entries still in flight, even after a refused append', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    await expect(log.append(entry(9), { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_GAP' });
    const sent = log.append(entry(1), { epoch });
    await new Promise((resolve) => setImmediate(resolve));
    // While that one is in flight, these wait.
    const waiting = range(2, 3).map((seq) => log.append(entry(seq), { epoch }));
    await log.trim(sessionId, { throughSeq: 2, checkpoint: null, epoch });
    await Promise.all([sent, ...waiting]);
    expect(await log.inspect(sessionId)).toMatchObject({ oldestSeq: 3, headSeq: 3 });
    await expect(log.append(entry(9), { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_GAP' });
    await log.trim(sessionId, { throughSeq: 3, checkpoint: null, epoch });
    expect(await log.inspect(sessionId)).toMatchObject({ oldestSeq: 4, headSeq: 3 });
  });

  it('opens a session once if the command is resent because its reply was lost', async () => {
    const epochs = ['first', 'second', 'second'];
    const log = opened({ client: server.client(), createEpoch: () => epochs.shift() ?? '' });
    const first = await log.open(sessionId);
    await log.append(entry(1), first);
    const second = await log.open(sessionId, first);
    expect(await log.open(sessionId, first)).toEqual(second);
    expect(second.epochs).toEqual([
      { epoch: 'first', fromSeq: 1 },
      { epoch: 'second', fromSeq: 2 },
    ]);
  });

  it('does not take a session back if the command is resent after another writer has opened it', async () => {
    const epochs = ['first', 'second', 'first'];
    const log = opened({ client: server.client(), createEpoch: () => epochs.shift() ?? '' });
    await log.open(sessionId);
    const second = await log.open(sessionId);
    await log.append(entry(1), second);
    await expect(log.open(sessionId)).rejects.toMatchObject({ code: 'EVENT_LOG_STALE_EPOCH' });
    expect(await log.inspect(sessionId)).toMatchObject({ epochs: second.epochs });
    await log.append(entry(2), second);
  });

  it('is told apart from other writers and sessions that append in the same event loop turn', async () => {
    const log = opened({ client: server.client(), createEpoch: () => epochs.shift() ?? '' });
    const epochs = ['old', 'new', 'new'];
    const other = `${sessionId}-other`;
    for (const id of [sessionId, sessionId, other]) await log.open(id);
    const appended = await Promise.allSettled([
      log.append(entry(1), { epoch: 'old' }),
      log.append(entry(1), { epoch: 'new' }),
      log.append(entry(1, { sessionId: other, frames: frame(1, 5) }), { epoch: 'new' }),
    ]);
    expect(appended).toMatchObject([
      { reason: { code: 'EVENT_LOG_STALE_EPOCH' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
    expect(await readAll(log)).toBe(frame(1));
    expect(await log.inspect(other)).toMatchObject({ headSeq: 1 });
  });

  it.each(['', 'a:b', 'a b', 'a-b', 'A', 'a'.repeat(33)])('cannot have the token %j', async (epoch) => {
    const log = opened({ client: server.client(), createEpoch: () => epoch });
    await expect(log.open(sessionId)).rejects.toThrow(/^createEpoch must return 1 to 32 digits/);
    expect(await log.inspect(sessionId)).toBeUndefined();
  });

  it('gets all notes when it opens a session, however many there are', async () => {
    const log = opened({ client: server.client() });
    const { epoch } = await log.open(sessionId);
    await Promise.all(range(1, 450).map((seq) => log.append(entry(seq, { note: seq }), { epoch })));
    const { notes } = await log.open(sessionId);
    expect(notes).toEqual(range(1, 450).map((seq) => ({ seq, note: seq })));
  });

  it('opens a session whose newest entry was deleted by hand', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    for (const seq of range(1, 3)) await log.append(entry(seq, { note: seq }), { epoch });
    await client.xdel(`svc:{${sessionId}}:events`, '3-0');
    expect((await log.open(sessionId)).notes.at(-1)).toEqual({ seq: 2, note: 2 });
  });

  it('stores the entries in flight when the log is closed, and none of those waiting', async () => {
    const client = server.client();
    const log = opened({ client });
    const { epoch } = await log.open(sessionId);
    const sent = log.append(entry(1), { epoch });
    await new Promise((resolve) => setImmediate(resolve));
    const outcomes = Promise.allSettled([sent, log.append(entry(2), { epoch })]);
    await log.close();
    expect(await outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'EVENT_LOG_CLOSED' } }]);
    expect(await readAll(opened({ client }))).toBe(frame(1));
  });

  it('cannot remove a session once the log is closed', async () => {
    const log = opened({ client: server.client() });
    await log.close();
    await expect(log.remove(sessionId)).rejects.toMatchObject({ code: 'EVENT_LOG_CLOSED' });
  });
});
