import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { emit, nextTurn, numbers, open, take } from './numbered-events.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('a cursor', () => {
  it('that is valid resumes after its event, without a log message', async () => {
    const { bridge, logged } = open();
    await emit(bridge, 1, 2, 3);
    await bridge.emitFinal('done');
    for (const [i, { id }] of (await bridge.history()).slice(0, 3).entries()) {
      const rest = await readAll(bridge.generateSse({ lastEventId: id }));
      expect(numbers(rest)).toEqual([1, 2, 3, 'done'].slice(i + 1));
    }
    expect(logged).toEqual([]);
  });

  it.each(['nonsense', '0', '-1', 'x-1-2', `e-${'9'.repeat(40)}`, 'ü-1', '<script>'])(
    'that was never issued (%s) gives one stream_gap and then all stored events',
    async (lastEventId) => {
      const { bridge, logged } = open();
      await emit(bridge, 1, 2);
      await bridge.emitFinal('done');
      const events = await readAll(bridge.generateSse({ lastEventId }));
      expect(numbers(events)).toEqual(['gap: unknown', 1, 2, 'done']);
      const [gap, first] = events;
      expect(gap?.data).toEqual({ reason: 'unknown', requested_id: lastEventId, oldest_id: first?.id });
      expect(logged).toEqual([expect.stringMatching(/^info: .*not an id of this session/)]);
    },
  );

  it("of another epoch or ahead of the log gives stream_gap with reason 'epoch'", async () => {
    const { bridge } = open();
    const { bridge: other } = open();
    await emit(bridge, 1);
    await emit(other, 1, 2);
    await bridge.emitFinal('done');
    const [elsewhere] = await other.history();
    expect(numbers(await readAll(bridge.generateSse({ lastEventId: elsewhere?.id ?? '' })))).toEqual([
      'gap: epoch',
      1,
      'done',
    ]);
    const ahead = (await bridge.history())[0]?.id.replace(/-1$/, '-9') ?? '';
    expect(numbers(await readAll(bridge.generateSse({ lastEventId: ahead })))).toEqual([
      'gap: epoch',
      1,
      'done',
    ]);
  });

  it('that is too old gives stream_gap, logs a warning and continues with the oldest shown event', async () => {
    const { bridge, logged } = open({ maxHistory: 3 });
    await emit(bridge, 1, 2, 3, 4, 5);
    const old = (await bridge.history())[0]?.id.replace(/-\d+$/, '-1') ?? '';
    await bridge.emitFinal('done');
    const events = await readAll(bridge.generateSse({ lastEventId: old }));
    expect(numbers(events)).toEqual(['gap: evicted', 4, 5, 'done']);
    expect(events[0]?.data.oldest_id).toBe(events[1]?.id);
    expect(logged).toEqual([expect.stringMatching(/^warn: .*older/)]);
  });

  it('just before the oldest shown event resumes without a gap', async () => {
    const { bridge } = open({ maxHistory: 2 });
    await emit(bridge, 1, 2, 3);
    const [oldest] = await bridge.history();
    const cursor = oldest?.id.replace(/-2$/, '-1') ?? '';
    expect(numbers(await collectEvents(bridge.generateSse({ lastEventId: cursor }), 2))).toEqual([2, 3]);
  });

  it('taken from a stream_gap resumes with the events after the gap', async () => {
    const { bridge } = open();
    await emit(bridge, 1, 2);
    await bridge.emitFinal('done');
    const [gap] = await collectEvents(bridge.generateSse({ lastEventId: 'nonsense' }), 1);
    const events = await readAll(bridge.generateSse({ lastEventId: gap?.id ?? '' }));
    expect(numbers(events)).toEqual([1, 2, 'done']);
  });

  it('that is unknown gives stream_gap at once, even if no event follows yet', async () => {
    const { bridge } = open();
    await emit(bridge, 1);
    await bridge.reopen();
    const [gap] = await collectEvents(bridge.generateSse({ lastEventId: 'nonsense' }), 1);
    expect(gap?.data).toEqual({ reason: 'unknown', requested_id: 'nonsense', oldest_id: null });
    const waiting = readAll(bridge.generateSse({ lastEventId: gap?.id ?? '' }));
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await bridge.emitFinal('two');
    expect(numbers(await waiting)).toEqual(['two']);
  });

  it('for a session not yet in the log gives stream_gap before the first event', async () => {
    const { bridge } = open();
    const reading = readAll(bridge.generateSse({ lastEventId: 'mabc-7' }));
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await bridge.emitFinal('done');
    expect(numbers(await reading)).toEqual(['gap: epoch', 'done']);
  });

  it('that is empty counts as absent', async () => {
    const { bridge } = open();
    await bridge.emitFinal('done');
    expect(numbers(await readAll(bridge.generateSse({ lastEventId: '' })))).toEqual(['done']);
  });
});

describe('a reader without queueMaxsize', () => {
  it('does not block the producer, and reads on from the log', async () => {
    const { bridge } = open({ maxHistory: 10_000 });
    const slow = await bridge.openReader();
    for (let n = 0; n < 3000; n += 1) await bridge.emit('custom', { n });
    const seen: unknown[] = [];
    while (seen.length < 3000) {
      seen.push(...take(slow));
      if (seen.length < 3000) await slow.readable();
    }
    expect(seen).toEqual(Array.from({ length: 3000 }, (_, n) => n));
    slow.close();
  });

  it('is given time to read what a producer that never rests emits, and nobody else is', async () => {
    const { bridge } = open({ maxHistory: 10 });
    const reader = await bridge.openReader();
    const seen: unknown[] = [];
    reader.onReadable(() => seen.push(...take(reader)));
    for (let n = 0; n < 100; n += 1) await bridge.emit('custom', { n });
    await nextTurn();
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => n));
    reader.close();
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    for (let n = 0; n < 100; n += 1) await bridge.emit('custom', { n });
    expect(hasTurned).toBe(false);
  });

  it('does not change the order in which emits resolve', async () => {
    const { bridge } = open({ maxHistory: 10 });
    const reader = await bridge.openReader();
    await emit(bridge, 0);
    const resolved: number[] = [];
    const emitted = Array.from({ length: 30 }, async (_, n) => {
      await (n === 29 ? bridge.emitFinal('done') : bridge.emit('custom', { n }));
      resolved.push(n);
    });
    await Promise.all(emitted);
    expect(resolved).toEqual(Array.from({ length: 30 }, (_, n) => n));
    reader.close();
  });

  it('reads to the end of the turn, however its events arrived', async () => {
    const { bridge } = open();
    const slow = await bridge.openReader();
    for (const n of [1, 2, 3]) {
      await emit(bridge, n);
      await nextTurn();
    }
    await bridge.emitFinal('done');
    await nextTurn();
    expect(take(slow)).toEqual([1, 2, 3, 'done']);
  });

  it('gets stream_gap only if the log has dropped what it missed', async () => {
    const { bridge } = open({
      log: new MemoryEventLog({ maxBytesPerSession: 600 * 1024 }),
      maxHistory: 100_000,
    });
    await emit(bridge, 0);
    const slow = await bridge.openReader();
    expect(take(slow)).toEqual([0]);
    for (let n = 1; n < 100; n += 1) await bridge.emit('custom', { n, text: 'x'.repeat(20_000) });
    await bridge.emitFinal('done');
    const events: unknown[] = [];
    while (!slow.isEnded) {
      events.push(...take(slow));
      await slow.readable();
    }
    expect(events[0]).toBe('gap: evicted');
    const rest = events.slice(1, -1).map(Number);
    expect(rest[0]).toBeGreaterThan(1);
    expect(rest).toEqual(Array.from({ length: rest.length }, (_, i) => (rest[0] ?? 0) + i));
    expect(events.at(-1)).toBe('done');
  });
});

it('a reader whose signal is already aborted does not end waitForSubscriber', async () => {
  const { bridge } = open();
  const waiting = bridge.waitForSubscriber({ timeoutMs: 100_000 });
  await bridge.openReader({ signal: AbortSignal.abort() });
  const reader = await bridge.openReader();
  expect(await waiting).toBe(true);
  reader.close();
});

describe('a stream of frames', () => {
  it('is attached from its first pull until it is returned, even while a pull is waiting', async () => {
    const { bridge } = open();
    expect(await bridge.waitForSubscriber({ timeoutMs: 1 })).toBe(false);
    const frames = bridge.generateSse();
    expect(bridge.subscriberCount).toBe(0);
    const waiting = frames.next();
    expect(await bridge.waitForSubscriber({ timeoutMs: 1000 })).toBe(true);
    expect(bridge.subscriberCount).toBe(1);
    await frames.return(undefined);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(bridge.subscriberCount).toBe(0);
    expect(await bridge.waitForSubscriber({ timeoutMs: 1 })).toBe(false);
  });

  it('is awaited by waitForSubscriber until the signal aborts, and no listener stays on the signal', async () => {
    const { bridge } = open();
    const leaving = new AbortController();
    const waiting = bridge.waitForSubscriber({ timeoutMs: 2 ** 31 - 1, signal: leaving.signal });
    leaving.abort();
    expect(await waiting).toBe(false);
    expect(await bridge.waitForSubscriber({ timeoutMs: 2 ** 31 - 1, signal: leaving.signal })).toBe(false);
    const frames = bridge.generateSse();
    const pulled = frames.next();
    const { signal } = new AbortController();
    expect(await bridge.waitForSubscriber({ timeoutMs: 10_000, signal })).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await bridge.waitForSubscriber({ timeoutMs: 0, signal: leaving.signal })).toBe(true);
    await frames.return(undefined);
    await pulled;
  });

  it('ends when its signal aborts before it opens, while it opens or while it waits', async () => {
    const { bridge } = open();
    expect(await readAll(bridge.generateSse({ signal: AbortSignal.abort() }))).toEqual([]);
    const opening = new AbortController();
    const reading = readAll(bridge.generateSse({ signal: opening.signal }));
    opening.abort();
    expect(await reading).toEqual([]);
    const waiting = new AbortController();
    const attached = readAll(bridge.generateSse({ signal: waiting.signal }));
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    waiting.abort();
    expect(await attached).toEqual([]);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('gets a keep-alive comment after each idle interval', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
    const { bridge } = open({ heartbeatIntervalMs: 1000 });
    await emit(bridge, 1);
    const frames = bridge.generateSse();
    expect(numbers(await collectEvents(bridge.generateSse(), 1))).toEqual([1]);
    await frames.next();
    for (const second of [1, 2]) {
      const next = frames.next();
      await vi.advanceTimersByTimeAsync(999);
      await vi.advanceTimersByTimeAsync(1);
      expect((await next).value).toBe(`: keepalive 1970-01-01T00:00:0${second}.000Z\n\n`);
    }
    await frames.return(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses a heartbeatIntervalMs of 0 on its first pull', async () => {
    const { bridge } = open();
    await expect(bridge.generateSse({ heartbeatIntervalMs: 0 }).next()).rejects.toThrow(
      /^heartbeatIntervalMs/,
    );
    expect(bridge.subscriberCount).toBe(0);
  });

  it('fails when the log cannot be read, so that the client reconnects', async () => {
    const log = new MemoryEventLog();
    const { bridge } = open({ log });
    await emit(bridge, 1);
    log.follow = () => ({
      async *[Symbol.asyncIterator]() {
        yield* [];
        throw new Error('connection lost');
      },
    });
    const frames = bridge.generateSse();
    await frames.next();
    await expect(frames.next()).rejects.toThrow('connection lost');
    expect(bridge.subscriberCount).toBe(0);
  });

  it('ends when the session is removed from the log', async () => {
    const log = new MemoryEventLog();
    const { bridge } = open({ log });
    await emit(bridge, 1);
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await nextTurn();
    await log.remove('s');
    expect(numbers(await reading)).toEqual([1]);
  });
});

describe('readers of different audiences', () => {
  it('never get more than their bridge allows', async () => {
    const { bridge } = open({ audience: 'frontend_safe' });
    await bridge.emitError({ error: 'at /srv/x.py', details: { path: '/srv' } });
    const [event] = await readAll(bridge.generateSse({ audience: 'internal' }));
    expect(event?.data).toMatchObject({
      error: 'An internal error occurred. Please try again.',
      details: {},
    });
  });

  it('can read one session at the same time, each with its own data', async () => {
    const { bridge } = open();
    const reading = (['internal', 'frontend_safe'] as const).map((audience) =>
      readAll(bridge.generateSse({ audience })),
    );
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await emit(bridge, 1);
    await bridge.emitError({ error: 'at /srv/x.py', details: { path: '/srv' } });
    const [internal, safe] = await Promise.all(reading);
    expect(internal?.[1]?.data).toMatchObject({ error: 'at /srv/x.py', details: { path: '/srv' } });
    expect(safe?.[1]?.data).toMatchObject({
      error: 'An internal error occurred. Please try again.',
      details: {},
    });
    expect(safe?.map(({ id }) => id)).toEqual(internal?.map(({ id }) => id));
  });
});
