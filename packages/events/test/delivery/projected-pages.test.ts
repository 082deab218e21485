import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { ProjectedPages } from '../../src/delivery/projected-pages.js';
import { createLogPage, slicePage, type LogPage } from '../../src/log/log-page.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

describe('frontend_safe readers of an internal bridge', () => {
  it('get the whole turn, even after a reader that resumed within it', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    for (const n of [1, 2]) await bridge.emit('custom', { n });
    const [, second] = await bridge.history();
    const lastEventId = second?.id ?? '';
    const resumed = collectEvents(bridge.generateSse({ audience: 'frontend_safe', lastEventId }), 1);
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    await bridge.emit('custom', { n: 3 });
    expect((await resumed).map(({ data }) => data.n)).toEqual([3]);
    await bridge.emitFinal('done');
    const fresh = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    expect(fresh.map(({ type, data }) => data.n ?? type)).toEqual([1, 2, 3, 'final']);
  });

  it('have cursors within an entry from which internal readers can resume too', async () => {
    const privateValues = () => [{ name: 'token', value: 'sk-live-123' }];
    const bridge = new EventBridge('s', { logger: silentLogger, privateValues });
    for (const assistantId of ['a', 'b'])
      await bridge.emitAssistantChunk({ assistantId, text: 'on sk-live' });
    await bridge.emitFinal('done');
    const safe = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    const parts = safe.filter(({ id }) => id.includes('.'));
    expect(parts.map(({ data }) => data.text)).toEqual(['sk-live', 'sk-live']);
    for (const { id: lastEventId } of parts) {
      const rest = await readAll(bridge.generateSse({ lastEventId }));
      expect(rest.map(({ type }) => type)).toEqual(['final']);
      const again = await readAll(bridge.generateSse({ lastEventId, audience: 'frontend_safe' }));
      expect(again).toEqual(safe.slice(safe.findIndex(({ id }) => id === lastEventId) + 1));
    }
  });
});

describe.each(['internal', 'frontend_safe'] as const)('%s readers', (audience) => {
  it('share the bytes of events, which are projected and serialized once', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    for (const n of [1, 2, 3]) await bridge.emit('custom', { n });
    const bytes: (ArrayBufferLike | undefined)[] = [];
    for (let i = 0; i < 3; i += 1) {
      const reader = await bridge.openReader({ audience });
      bytes.push(reader.read()?.buffer);
      reader.close();
    }
    expect(bytes[0]).toBeDefined();
    expect(new Set(bytes).size).toBe(1);
  });
});

describe.each(['internal', 'frontend_safe'] as const)('a slow %s reader', (audience) => {
  it('gets everything that the log still has, even events too old for new readers', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger, maxHistory: 5 });
    const frames = bridge.generateSse({ audience });
    const first = frames.next();
    await bridge.emit('custom', { n: 1 });
    await first;
    for (let n = 2; n <= 30; n += 1) {
      await bridge.emit('custom', { n });
      // One page per event, as when a model responds slowly.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const rest = await collectEvents(frames, 29);
    expect(rest.map(({ data }) => data.n)).toEqual(Array.from({ length: 29 }, (_, i) => i + 2));
  });
});

describe('ProjectedPages', () => {
  /** A log that counts how often it is read. */
  class CountedLog extends MemoryEventLog {
    reads = 0;

    override readAfter(...given: Parameters<MemoryEventLog['readAfter']>): Promise<LogPage> {
      this.reads += 1;
      return super.readAfter(...given);
    }
  }
  const entry = (seq: number) => ({
    seq,
    kind: 'event' as const,
    frames: `id: a-${seq}\ndata: "sk-live"\n\n`,
    safeFrames: `id: a-${seq}\ndata: ${seq}\n\n`,
  });
  const published = (...seqs: number[]) => createLogPage(seqs.map(entry));
  const numbersOf = (page: LogPage | undefined) =>
    Array.from(
      Buffer.from(page?.bytes ?? [])
        .toString()
        .matchAll(/data: (.*)/g),
      ([, data]) => data,
    );

  async function open({ maxEntries = 100, count = 6 } = {}) {
    const log = new CountedLog();
    const { epoch } = await log.open('s');
    const append = async (from: number, to: number) => {
      for (let seq = from; seq <= to; seq += 1)
        await log.append({ sessionId: 's', ...entry(seq) }, { epoch });
    };
    await append(1, count);
    const trim = (throughSeq: number) => log.trim('s', { throughSeq, checkpoint: null, epoch });
    return { log, append, trim, pages: new ProjectedPages({ log, sessionId: 's', maxEntries }) };
  }

  it('projects older entries too, for a reader that lags behind those kept', async () => {
    const { pages } = await open({ maxEntries: 2 });
    const page = await pages.fetch(0);
    expect([page.firstSeq, numbersOf(page)]).toEqual([1, ['1', '2', '3', '4', '5', '6']]);
    expect(numbersOf(pages.peek(4))).toEqual(['5', '6']);
    expect(pages.peek(3)).toBeUndefined();
  });

  it('reads as many pages as it takes to reach the requested entries', async () => {
    const { log, pages } = await open();
    const readAfter = log.readAfter.bind(log);
    log.readAfter = async (sessionId, { afterSeq }) =>
      slicePage(await readAfter(sessionId, { afterSeq }), afterSeq + 1, afterSeq + 2);
    expect(numbersOf(await pages.fetch(4))).toEqual(['5', '6']);
  });

  it.each([5, 6])('keeps its entries after the log is trimmed through %i', async (throughSeq) => {
    const { pages, trim } = await open({ maxEntries: 2 });
    await pages.fetch(4);
    await trim(throughSeq);
    expect(numbersOf(await pages.fetch(0))).toEqual(['5', '6']);
  });

  it('reads the log once for concurrent readers, even if a followed page arrives meanwhile', async () => {
    const { pages, log } = await open();
    const fetched = [pages.fetch(0), pages.fetch(3)];
    pages.take(published(1, 2, 3, 4));
    expect((await Promise.all(fetched)).map(numbersOf)).toEqual([
      ['1', '2', '3', '4', '5', '6'],
      ['4', '5', '6'],
    ]);
    expect(log.reads).toBe(1);
    expect(numbersOf(pages.peek(0))).toHaveLength(6);
    expect(pages.peek(6)).toBeUndefined();
    expect(pages.newestIds).toEqual(['a-6']);
  });

  it('includes entries written after a read for another reader began', async () => {
    const { pages, append } = await open();
    await pages.fetch(0);
    const before = pages.fetch(6);
    const written = append(7, 7);
    expect(numbersOf(await pages.fetch(6))).toEqual(['7']);
    await Promise.all([before, written]);
  });

  it('returns pages even if the log grows as fast as it is read', async () => {
    const { pages, log, append } = await open();
    const read = log.readAfter.bind(log);
    let count = 6;
    log.readAfter = async (...given) => {
      const page = await read(...given);
      await append((count += 1), count);
      // Takes a turn of the event loop, as an answer over the network does.
      await new Promise((resolve) => setImmediate(resolve));
      return page;
    };
    expect(numbersOf(await pages.fetch(0))).toEqual(expect.arrayContaining(['1', '6']));
    expect(numbersOf(await pages.fetch(6))).toContain('7');
  });

  it('takes only the new entries of a page, and none of a page after a gap', async () => {
    const { pages } = await open();
    await pages.fetch(0);
    pages.take(published(5, 6, 7));
    expect(numbersOf(pages.peek(5))).toEqual(['6', '7']);
    pages.take(published(9));
    expect(pages.peek(7)).toBeUndefined();
    pages.take(createLogPage([{ seq: 8, kind: 'turn_end', frames: '', safeFrames: '' }]));
    expect(pages.newestIds).toEqual(['a-7']);
  });

  it.each([7, 10])(
    'starts over with the oldest stored entry if the log was trimmed through %i meanwhile',
    async (gone) => {
      const { pages, append, trim } = await open();
      expect(numbersOf(await pages.fetch(0))).toHaveLength(6);
      await append(7, 12);
      await trim(gone);
      const page = await pages.fetch(6);
      expect([page.firstSeq, numbersOf(page)[0], numbersOf(page).at(-1)]).toEqual([
        gone + 1,
        `${gone + 1}`,
        '12',
      ]);
    },
  );

  it('returns an empty page at the requested position', async () => {
    const { pages } = await open({ count: 0 });
    expect(await pages.fetch(7)).toMatchObject({ firstSeq: 8, ends: [] });
  });
});
