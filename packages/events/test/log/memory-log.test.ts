import { describe, expect, it } from 'vitest';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { describeEventLog } from '../../src/testing/describe-event-log.js';

describeEventLog('MemoryEventLog', async () => ({ log: new MemoryEventLog() }));

const write = async (log: MemoryEventLog, { sessionId = 's', count = 1, bytes = 100 } = {}) => {
  const { epoch, headSeq } = await log.open(sessionId);
  for (let seq = headSeq + 1; seq <= headSeq + count; seq += 1) {
    await log.append({ sessionId, seq, kind: 'turn_end', frames: 'x'.repeat(bytes) }, { epoch });
  }
};

describe('MemoryEventLog', () => {
  it('drops the oldest entries of a session once it exceeds maxBytesPerSession', async () => {
    const log = new MemoryEventLog({ maxBytesPerSession: 520 * 1024 });
    await write(log, { count: 10_000, bytes: 1000 });
    const status = await log.inspect('s');
    expect(status?.headSeq).toBe(10_000);
    expect(status?.oldestSeq).toBeGreaterThan(10_000 - 525);
    const page = await log.readAfter('s', { afterSeq: 0 });
    expect(page.firstSeq).toBe(status?.oldestSeq);
  });

  it('keeps 64 MiB of a session and 10,000 sessions by default', async () => {
    const log = new MemoryEventLog();
    await write(log, { sessionId: 'long', count: 70, bytes: 2 ** 20 });
    expect(await log.inspect('long')).toMatchObject({ oldestSeq: 7, headSeq: 70 });
    for (let i = 1; i < 10_000; i += 1) await log.open(`session-${i}`);
    expect(await log.inspect('long')).toBeDefined();
    await log.open('one more');
    expect(await log.inspect('long')).toBeUndefined();
  });

  it('counts the frames for frontend_safe readers too, until their entries are dropped', async () => {
    const log = new MemoryEventLog({ maxBytesPerSession: 1_000_000, maxBytes: 1_100_000 });
    await write(log, { sessionId: 'idle' });
    const { epoch } = await log.open('s');
    const frames = 'x'.repeat(1000);
    for (let seq = 1; seq <= 3000; seq += 1) {
      await log.append({ sessionId: 's', seq, kind: 'event', frames, safeFrames: frames }, { epoch });
    }
    const { oldestSeq } = (await log.inspect('s')) ?? {};
    expect(oldestSeq).toBeGreaterThan(3000 - 500);
    expect(oldestSeq).toBeLessThan(3000 - 200);
    expect(await log.inspect('idle')).toBeDefined();
  });

  it('above maxSessions, drops the session opened longest ago, but prefers one between turns', async () => {
    const log = new MemoryEventLog({ maxSessions: 2 });
    await log.open('busy');
    await write(log, { sessionId: 'rests' });
    await log.open('third');
    expect(await log.inspect('rests')).toBeUndefined();
    expect(await log.inspect('busy')).toBeDefined();
    await log.open('fourth');
    expect(await log.inspect('busy')).toBeUndefined();
  });

  it('above maxBytes, forgets the sessions opened longest ago that are between turns and that nobody reads', async () => {
    const log = new MemoryEventLog({ maxBytes: 30_000 });
    const { epoch } = await log.open('busy');
    await log.append({ sessionId: 'busy', seq: 1, kind: 'event', frames: 'x'.repeat(9000) }, { epoch });
    const leaving = new AbortController();
    const pages = log.follow('read', { afterSeq: 0, signal: leaving.signal })[Symbol.asyncIterator]();
    const left = pages.next().then(() => pages.next());
    await write(log, { sessionId: 'read', bytes: 9000 });
    for (const sessionId of ['old', 'new']) await write(log, { sessionId, bytes: 6000 });
    const kept = async () => {
      const ids = ['busy', 'read', 'old', 'new', 'newest'];
      const found = await Promise.all(ids.map(async (id) => ((await log.inspect(id)) ? id : [])));
      return found.flat();
    };
    expect(await kept()).toEqual(['busy', 'read', 'old', 'new']);
    await write(log, { sessionId: 'newest', bytes: 6000 });
    expect(await kept()).toEqual(['busy', 'read', 'new', 'newest']);
    leaving.abort();
    await left;
    await write(log, { sessionId: 'new', bytes: 3000 });
    expect(await kept()).toEqual(['busy', 'new']);
  });

  it('above maxBytes, keeps a session whose new writer is about to begin a turn', async () => {
    const log = new MemoryEventLog({ maxBytes: 10_000 });
    await write(log, { sessionId: 's', bytes: 6000 });
    const { epoch } = await log.open('s');
    await write(log, { sessionId: 'other', bytes: 6000 });
    await log.append({ sessionId: 's', seq: 2, kind: 'turn_start', frames: '' }, { epoch });
    expect(await log.inspect('s')).toMatchObject({ headSeq: 2 });
  });

  it('no longer counts the bytes of sessions that were removed or trimmed', async () => {
    const log = new MemoryEventLog({ maxBytes: 1_000_000, maxBytesPerSession: 200_000 });
    await write(log, { sessionId: 'kept' });
    for (let i = 0; i < 20; i += 1) {
      await write(log, { sessionId: 'removed', count: 2, bytes: 90_000 });
      await log.remove('removed');
    }
    for (let i = 0; i < 20; i += 1) {
      await write(log, { sessionId: 'trimmed', count: 2, bytes: 90_000 });
      const { epoch, headSeq } = await log.open('trimmed');
      await log.trim('trimmed', { throughSeq: headSeq, checkpoint: null, epoch });
    }
    expect(await log.inspect('kept')).toBeDefined();
  });

  it('keeps no place for a session that was only followed', async () => {
    const log = new MemoryEventLog({ maxSessions: 2 });
    await write(log, { sessionId: 'rests' });
    for (const sessionId of ['unknown', 'other', 'third']) {
      const leaving = new AbortController();
      const pages = log.follow(sessionId, { afterSeq: 0, signal: leaving.signal })[Symbol.asyncIterator]();
      const next = pages.next();
      leaving.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    }
    expect(await log.inspect('rests')).toBeDefined();
  });

  it('counts a session as opened when its newest writer opened it', async () => {
    const log = new MemoryEventLog({ maxSessions: 2 });
    for (const sessionId of ['a', 'b', 'a', 'c']) await log.open(sessionId);
    expect(await log.inspect('b')).toBeUndefined();
    expect(await log.inspect('a')).toBeDefined();
  });

  it('delivers entries of one event loop turn as one page, without copying their bytes', async () => {
    const log = new MemoryEventLog();
    const { epoch } = await log.open('s');
    const follower = log.follow('s', { afterSeq: 0 })[Symbol.asyncIterator]();
    const next = follower.next();
    for (let seq = 1; seq <= 5; seq += 1) {
      await log.append({ sessionId: 's', seq, kind: 'event', frames: 'data: 1\n\n' }, { epoch });
    }
    const { value: page } = await next;
    expect(page?.ends).toEqual([9, 18, 27, 36, 45]);
    const again = await log.readAfter('s', { afterSeq: 0 });
    expect(again.bytes.buffer).toBe(page?.bytes.buffer);
    await follower.return?.();
  });

  it('refuses an unknown option, and a createEpoch that is not a function', () => {
    expect(() => new MemoryEventLog(Object.assign({ maxSessions: 1 }, { maxByte: 5 }))).toThrow(
      new TypeError(
        "MemoryEventLog: unknown option 'maxByte'. Known options: maxBytesPerSession, maxBytes, maxSessions, createEpoch.",
      ),
    );
    expect(() => new MemoryEventLog(JSON.parse('{"createEpoch":"e"}'))).toThrow(
      new TypeError('createEpoch must be a function, got string'),
    );
  });

  it.each(['', 'a-b', 'a\nb', 'A', 'a'.repeat(33)])(
    'refuses %j as a token from createEpoch',
    async (epoch) => {
      const log = new MemoryEventLog({ createEpoch: () => epoch });
      await expect(log.open('s')).rejects.toThrow(
        new TypeError('createEpoch must return 1 to 32 digits and lower-case letters'),
      );
      expect(await log.inspect('s')).toBeUndefined();
    },
  );

  it.each([
    ['maxSessions', 0],
    ['maxBytes', 0],
    ['maxBytesPerSession', 1.5],
  ])('refuses %s %s', (name, value) => {
    expect(() => new MemoryEventLog({ [name]: value })).toThrow(new RegExp(`${name} .* got ${value}`));
  });

  it('is closed at the end of an `await using` block', async () => {
    const log = new MemoryEventLog();
    {
      await using used = log;
      await used.open('s');
    }
    await expect(log.open('s')).rejects.toMatchObject({ code: 'EVENT_LOG_CLOSED' });
  });
});
