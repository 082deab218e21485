import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { createLogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { emit, nextTurn, open } from '../bridge/numbered-events.js';
import { silentLogger } from '../silent-logger.js';

const eventsIn = (bytes: Uint8Array | undefined) =>
  decodeFrames(Buffer.from(bytes ?? []).toString()).map(({ envelope }) => envelope);

/** Reads until the reader has ended or is caught up. */
async function takeAll(reader: EventReader) {
  const events = [];
  while (!reader.isEnded) {
    const bytes = reader.read();
    if (bytes !== undefined) events.push(...eventsIn(bytes));
    else if (!reader.isEnded && !reader.isCaughtUp) await reader.readable();
    else break;
  }
  return events;
}

describe('a reader whose next events are gone when it is opened', () => {
  it.each([
    ['turn', 1, (bridge: EventBridge) => bridge.emitFinal('done')],
    ['session', 2, (bridge: EventBridge) => bridge.close()],
  ])('gets stream_gap at once, even if only the restart of the %s is left', async (_, maxHistory, end) => {
    const bridge = new EventBridge('s', { logger: silentLogger, maxHistory });
    for (const n of [1, 2, 3]) await bridge.emit('custom', { n });
    const lastEventId = (await bridge.history())[0]?.id.replace(/\d+$/, '1');
    await end(bridge);
    await bridge.reopen();
    const reader = await bridge.openReader({ lastEventId });
    const [gap] = eventsIn(reader.read());
    expect(gap?.data).toMatchObject({ reason: 'evicted', requested_id: lastEventId });
    expect([reader.read(), reader.isEnded, reader.isCaughtUp]).toEqual([undefined, false, true]);
    await bridge.emit('custom', { n: 4 });
    await reader.readable();
    expect(eventsIn(reader.read()).map(({ data }) => data.n)).toEqual([4]);
    reader.close();
    const again = await bridge.openReader({ lastEventId: gap?.id });
    expect(eventsIn(again.read()).map(({ data }) => data.n)).toEqual([4]);
    again.close();
  });

  it('ends if another process ends the session meanwhile', async () => {
    const log = new MemoryEventLog();
    const writer = new EventBridge('s', { log, logger: silentLogger });
    for (const n of [1, 2]) await writer.emit('custom', { n });
    const [first] = await writer.history();
    await writer.reopen();
    const inspect = log.inspect.bind(log);
    log.inspect = async (sessionId) => {
      const status = await inspect(sessionId);
      await writer.close();
      return status;
    };
    const bridge = new EventBridge('s', { log, logger: silentLogger, maxHistory: 1 });
    const reader = await bridge.openReader({ lastEventId: first?.id });
    await takeAll(reader);
    expect(reader.isEnded).toBe(true);
  });
});

describe('a reader whose next events are trimmed while it is opened', () => {
  it('gets stream_gap even if the remaining entries begin with one without a frame', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger, schemaValidation: 'off' });
    await bridge.emit('custom', { n: 1 });
    const [{ id: lastEventId } = { id: '' }] = await bridge.history();
    await bridge.emit('custom', { n: 2 });
    await bridge.reopen();
    await bridge.emit('custom', { n: 3, large: 'x'.repeat(300_000) });
    await bridge.close();
    const inspect = log.inspect.bind(log);
    log.inspect = async (sessionId) => {
      const status = await inspect(sessionId);
      await log.trim(sessionId, { throughSeq: 2, checkpoint: null, epoch: status?.epochs[0]?.epoch ?? '' });
      return status;
    };
    const events = await takeAll(await bridge.openReader({ lastEventId }));
    expect(events.map(({ data }) => data.reason ?? data.n)).toEqual(['evicted', 3]);
  });
});

describe('a reader whose next events are gone when it fetches them', () => {
  async function begin(options: EventBridgeOptions = {}) {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger, schemaValidation: 'off', ...options });
    for (const n of [1, 2]) await bridge.emit('custom', { n });
    const [, { id } = { id: '' }] = await bridge.history();
    return { log, bridge, epoch: id.split('-')[0] };
  }

  /** Makes the next read return an empty page, after `meanwhile` has changed the log. */
  function loseNextRead(log: MemoryEventLog, meanwhile: () => Promise<unknown>): void {
    const readAfter = log.readAfter.bind(log);
    log.readAfter = async (_, { afterSeq }) => {
      log.readAfter = readAfter;
      await meanwhile();
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      return createLogPage([], afterSeq + 1);
    };
  }

  /** Trims the first two entries as soon as the log has returned its status to the reader. */
  function trimAfterStatus(log: MemoryEventLog, epoch: string): void {
    const inspect = log.inspect.bind(log);
    log.inspect = async (sessionId) => {
      const status = await inspect(sessionId);
      await log.trim(sessionId, { throughSeq: 2, checkpoint: null, epoch });
      return status;
    };
  }

  it('gets the events emitted in the meantime', async () => {
    const { log, bridge, epoch } = await begin();
    loseNextRead(log, () => bridge.emit('custom', { n: 3 }));
    const events = await takeAll(await bridge.openReader({ lastEventId: `${epoch}-1` }));
    expect(events.map(({ data }) => data.reason ?? data.n)).toEqual(['evicted', 3]);
  });

  it('does not keep a producer waiting', async () => {
    const { log, bridge, epoch } = await begin({ queueMaxsize: 1 });
    let emitted: Promise<unknown> = Promise.resolve();
    loseNextRead(log, async () => {
      emitted = bridge.emit('custom', { n: 3 });
    });
    const reader = await bridge.openReader({ lastEventId: `${epoch}-0` });
    await emitted;
    reader.close();
  });

  it('gets stream_gap at once if nothing else is left', async () => {
    const { log, bridge, epoch } = await begin();
    loseNextRead(log, async () => undefined);
    const events = await takeAll(await bridge.openReader({ lastEventId: `${epoch}-1` }));
    expect(events.map(({ data }) => data)).toMatchObject([
      { reason: 'evicted', requested_id: `${epoch}-1`, oldest_id: null },
    ]);
  });

  it.each(['trimmed', 'all gone'])(
    'gets stream_gap at once while reading, with the id of the last event it read (%s)',
    async (how) => {
      const { log, bridge, epoch = '' } = await begin();
      for (const n of [3, 4, 5]) await bridge.emit('custom', { n, large: 'x'.repeat(300_000) });
      const reader = await bridge.openReader();
      const last = eventsIn(reader.read()).at(-1);
      if (how === 'trimmed') await log.trim('s', { throughSeq: 4, checkpoint: null, epoch });
      else loseNextRead(log, async () => undefined);
      const [gap, ...more] = await takeAll(reader);
      expect(gap?.data).toMatchObject({ reason: 'evicted', requested_id: last?.id });
      expect(more.map(({ data }) => data.n)).toEqual(how === 'trimmed' ? [5] : []);
      reader.close();
    },
  );

  it('gets stream_gap and ends if the session is removed while the reader is opened', async () => {
    const { log, bridge, epoch } = await begin();
    loseNextRead(log, () => log.remove('s'));
    const reader = await bridge.openReader({ lastEventId: `${epoch}-1` });
    expect((await takeAll(reader)).map(({ data }) => data.reason)).toEqual(['evicted']);
    expect(reader.isEnded).toBe(true);
  });

  it.each(['trimmed', 'all gone'])(
    'gets stream_gap for its unknown cursor instead of the loss (%s)',
    async (how) => {
      const { log, bridge, epoch = '' } = await begin();
      await bridge.emit('custom', { n: 3 });
      const losses = {
        trimmed: () => trimAfterStatus(log, epoch),
        'all gone': () => loseNextRead(log, () => bridge.emit('custom', { n: 4 })),
      };
      losses[how as keyof typeof losses]();
      const events = await takeAll(await bridge.openReader({ lastEventId: 'unknown-7' }));
      expect(events[0]).toMatchObject({ data: { reason: 'epoch', requested_id: 'unknown-7' } });
      expect(events.slice(1).map(({ data }) => data.n)).toEqual([how === 'trimmed' ? 3 : 4]);
    },
  );

  it.each(['trimmed', 'all gone'])(
    'gets all of the next event if it had seen a part of the lost one (%s)',
    async (how) => {
      const { log, bridge, epoch = '' } = await begin();
      if (how === 'trimmed') {
        await bridge.emit('custom', { n: 3 });
        trimAfterStatus(log, epoch);
      } else loseNextRead(log, () => bridge.emit('custom', { n: 3 }));
      const events = await takeAll(await bridge.openReader({ lastEventId: `${epoch}-2.1` }));
      expect(events.map(({ data }) => data.reason ?? data.n)).toEqual(['evicted', 3]);
    },
  );
});

describe('a reader whose events are dropped because it is too slow', () => {
  it('gets stream_gap with the id of its last event, and then has the id of the gap', async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_oldest' });
    const reader = await bridge.openReader();
    await emit(bridge, 1);
    await nextTurn();
    const [first] = eventsIn(reader.read());
    expect(reader.lastEventId).toBe(first?.id);
    await emit(bridge, 2, 3);
    await nextTurn();
    const [gap] = eventsIn(reader.read());
    expect(gap?.data).toMatchObject({ reason: 'dropped', requested_id: first?.id });
    expect(reader.lastEventId).toBe(gap?.id);
    expect(eventsIn(reader.read()).map(({ data }) => data.n)).toEqual([3]);
    reader.close();
  });

  it('gets only the stream_gap for its unknown cursor, if that is still pending', async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_oldest' });
    const reader = await bridge.openReader({ lastEventId: 'unknown-7' });
    await emit(bridge, 1, 2, 3);
    await nextTurn();
    const events = await takeAll(reader);
    expect(events.map(({ data }) => data.n ?? [data.reason, data.requested_id])).toEqual([
      ['epoch', 'unknown-7'],
      3,
    ]);
    reader.close();
  });

  it('gets stream_gap for dropped newest events as soon as it has read the rest', async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_newest' });
    const reader = await bridge.openReader();
    await emit(bridge, 1, 2, 3);
    await nextTurn();
    const [first, gap, ...more] = await takeAll(reader);
    expect(first?.data.n).toBe(1);
    expect(gap?.data).toEqual({ reason: 'dropped', requested_id: first?.id, oldest_id: null });
    expect(more).toEqual([]);
    expect(gap?.id).toBe((await bridge.history()).at(-1)?.id);
    await emit(bridge, 4);
    await nextTurn();
    expect((await takeAll(reader)).map(({ data }) => data.n)).toEqual([4]);
    reader.close();
  });

  it('gets stream_gap at once even if the last dropped entry has no frame', async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_newest' });
    const reader = await bridge.openReader();
    await emit(bridge, 1, 2);
    await bridge.reopen();
    await nextTurn();
    const events = await takeAll(reader);
    expect(events.map(({ data }) => data.n ?? data.reason)).toEqual([1, 'dropped']);
    const back = await bridge.openReader({ lastEventId: events[1]?.id });
    expect(back.read()).toBeUndefined();
    back.close();
    reader.close();
  });

  it("gets stream_gap before a newer event, even if it is read in another reader's listener", async () => {
    const { bridge } = open({ queueMaxsize: 1, backpressure: 'drop_newest' });
    const [first, reader] = [await bridge.openReader(), await bridge.openReader()];
    await emit(bridge, 1, 2);
    await nextTurn();
    while (first.read());
    const frames: Uint8Array[] = [];
    const readOn = () => {
      for (let bytes = reader.read(); bytes; bytes = reader.read()) frames.push(bytes);
    };
    first.onReadable(readOn);
    await emit(bridge, 3);
    await nextTurn();
    readOn();
    const events = frames.flatMap(eventsIn);
    expect(events.map(({ data }) => data.n ?? data.reason)).toEqual([1, 'dropped', 3]);
    expect(events[1]?.id).not.toBe(events[2]?.id);
    first.close();
    reader.close();
  });

  it('gets the dropped events when it reconnects after its bridge closed and kept the session', async () => {
    const log = new MemoryEventLog();
    const { bridge } = open({ log, queueMaxsize: 1, backpressure: 'drop_newest' });
    const reader = await bridge.openReader();
    await emit(bridge, 1, 2);
    await nextTurn();
    await bridge.close({ keepSession: true });
    const events = await takeAll(reader);
    expect(events.map(({ data }) => data.n)).toEqual([1]);
    const back = await open({ log }).bridge.openReader({ lastEventId: events[0]?.id ?? '' });
    expect((await takeAll(back)).map(({ data }) => data.n)).toEqual([2]);
    back.close();
  });
});
