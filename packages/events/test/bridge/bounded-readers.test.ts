import { describe, expect, it } from 'vitest';
import type { EventReader } from '../../src/delivery/event-reader.js';
import type { EventBridge } from '../../src/bridge/event-bridge.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { emit, nextTurn, numbers, open, take } from './numbered-events.js';

describe('backpressure that blocks', () => {
  const isDone = async (promise: Promise<void>) => {
    let done = false;
    void promise.then(() => (done = true));
    await nextTurn();
    await nextTurn();
    return done;
  };

  it('makes the producer wait until a slow reader has read', async () => {
    const { bridge } = open({ queueMaxsize: 2 });
    const reader = await bridge.openReader();
    await emit(bridge, 1, 2);
    const third = bridge.emit('custom', { n: 3 });
    expect(await isDone(third)).toBe(false);
    expect(numbers(await bridge.history())).toEqual([1, 2, 3]);
    expect(take(reader)).toEqual([1, 2, 3]);
    await third;
    reader.close();
  });

  it('does not make the producer wait if there is no reader', async () => {
    const { bridge } = open({ queueMaxsize: 1 });
    await emit(bridge, 1, 2, 3, 4);
  });

  it.each([
    ['the reader is closed', (_: EventBridge, reader: EventReader) => reader.close()],
    ['the bridge is closed', (bridge: EventBridge) => void bridge.close()],
  ])('releases the producer when %s', async (_, act) => {
    const { bridge } = open({ queueMaxsize: 1 });
    const reader = await bridge.openReader();
    await emit(bridge, 1);
    const blocked = bridge.emit('custom', { n: 2 });
    expect(await isDone(blocked)).toBe(false);
    act(bridge, reader);
    await blocked;
    reader.close();
  });

  it('releases a producer whose append is pending when the bridge is closed', async () => {
    const { bridge } = open({ queueMaxsize: 1 });
    const reader = await bridge.openReader();
    await emit(bridge, 1);
    const pending = bridge.emit('custom', { n: 2 });
    await bridge.close();
    await pending;
    reader.close();
  });

  it('never makes a terminal event wait', async () => {
    const { bridge } = open({ queueMaxsize: 1 });
    const reader = await bridge.openReader();
    await emit(bridge, 1);
    await bridge.emitFinal('done');
    await nextTurn();
    expect(take(reader)).toEqual([1, 'done']);
  });

  it('counts the events that a new reader still has to replay', async () => {
    const { bridge } = open({ queueMaxsize: 5 });
    await emit(bridge, 1, 2, 3);
    const reader = await bridge.openReader();
    await emit(bridge, 4, 5);
    expect(await isDone(bridge.emit('custom', { n: 6 }))).toBe(false);
    reader.close();
  });
});

describe('backpressure that drops events', () => {
  it.each([
    ['drop_oldest', [1, 2, 'gap: dropped', 7, 8]],
    ['drop_newest', [1, 2, 3, 4, 'gap: dropped', 9]],
  ] as const)(
    '%s drops events only for the slow reader, which gets stream_gap',
    async (backpressure, expected) => {
      const { bridge, logged } = open({ queueMaxsize: 2, backpressure });
      await emit(bridge, 1, 2);
      const slow = await bridge.openReader();
      const quick = await bridge.openReader();
      const seen: unknown[] = take(quick);
      for (const n of [3, 4, 5, 6, 7, 8]) {
        await emit(bridge, n);
        await nextTurn();
        seen.push(...take(quick));
      }
      const got: unknown[] = [];
      while (!slow.isCaughtUp) {
        got.push(...take(slow));
        await nextTurn();
      }
      await emit(bridge, 9);
      await nextTurn();
      got.push(...take(slow));
      expect(got.slice(0, expected.length)).toEqual(expected);
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const which = backpressure.replace('drop_', '');
      expect(logged.filter((line) => line.includes(`Dropping the ${which} `)).length).toBe(4);
      expect(numbers(await bridge.history())).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      slow.close();
      quick.close();
    },
  );

  it('names the cursor of a reader that has read nothing since', async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_oldest' });
    await emit(bridge, 1);
    const lastEventId = (await bridge.history())[0]?.id;
    const slow = await bridge.openReader({ lastEventId });
    await emit(bridge, 2, 3);
    await nextTurn();
    const [gap] = decodeFrames(Buffer.from(slow.read() ?? []).toString());
    expect(gap?.envelope.data).toMatchObject({ reason: 'dropped', requested_id: lastEventId });
    slow.close();
  });

  it.each(['drop_oldest', 'drop_newest'] as const)(
    '%s never drops the end of a turn',
    async (backpressure) => {
      const { bridge } = open({ queueMaxsize: 1, backpressure });
      const slow = await bridge.openReader();
      await emit(bridge, 1, 2, 3);
      await nextTurn();
      await bridge.emitFinal('done');
      await nextTurn();
      const got = take(slow);
      expect(got.at(-1)).toBe('done');
      expect(slow.isEnded).toBe(true);
    },
  );

  it.each([
    ['drop_oldest', true, ['gap: dropped', 2, 3, 'done']],
    ['drop_oldest', false, ['gap: dropped', 2, 3, 'done']],
    ['drop_newest', true, [1, 2, 'gap: dropped', 'done']],
    ['drop_newest', false, [1, 2, 'gap: dropped', 'done']],
  ] as const)(
    '%s never drops the end of a turn for events of the next one (emitted at once: %s)',
    async (backpressure, isAtOnce, expected) => {
      const { bridge } = open({ queueMaxsize: 2, backpressure });
      await emit(bridge, 0);
      const slow = await bridge.openReader();
      expect(take(slow)).toEqual([0]);
      const steps = [1, 2, 3, 'end', 4, 5, 6, 7] as const;
      for (const step of steps) {
        if (step !== 'end') await emit(bridge, step);
        else {
          await bridge.emitFinal('done');
          await bridge.reopen();
        }
        if (!isAtOnce) await nextTurn();
      }
      await nextTurn();
      expect(take(slow)).toEqual(expected);
      expect(slow.isEnded).toBe(true);
    },
  );

  it.each(['drop_oldest', 'drop_newest'] as const)(
    '%s lets a reader continue with the next turn if the log no longer has the end of its own',
    async (backpressure) => {
      const { bridge } = open({ queueMaxsize: 3, backpressure, maxHistory: 2 });
      await emit(bridge, 0);
      const slow = await bridge.openReader({ audience: 'frontend_safe' });
      expect(take(slow)).toEqual([0]);
      await emit(bridge, 1);
      await bridge.emitFinal('done');
      await bridge.reopen();
      await emit(bridge, ...Array.from({ length: 50 }, (_, i) => i + 2));
      await nextTurn();
      const got = take(slow);
      while (!slow.isCaughtUp) {
        await nextTurn();
        got.push(...take(slow));
      }
      expect(got[0]).toBe('gap: evicted');
      expect(got.at(-1)).toBe(51);
      await emit(bridge, 52);
      await bridge.emitFinal('done again');
      await nextTurn();
      expect(take(slow)).toEqual([52, 'done again']);
      expect(slow.isEnded).toBe(true);
    },
  );
});
