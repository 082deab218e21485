import { describe, expect, it } from 'vitest';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { slicePage } from '../../src/log/log-page.js';
import type { LogPage } from '../../src/log/log-page.js';
import type { ReadFrom } from '../../src/log/event-log.js';
import { emit, nextTurn, numbers, open, take } from '../bridge/numbered-events.js';

/** A log whose followers receive entries only when the test says so. */
class LateLog extends MemoryEventLog {
  readonly #delivered = new TransformStream<number, number>();
  readonly #writer = this.#delivered.writable.getWriter();

  /** Delivers the entries up to a sequence number, in one page. */
  async deliver(to: number): Promise<void> {
    await this.#writer.write(to);
    await nextTurn();
  }

  override async *follow(sessionId: string, { afterSeq }: ReadFrom): AsyncGenerator<LogPage> {
    let after = afterSeq;
    for await (const to of this.#delivered.readable) {
      yield slicePage(await this.readAfter(sessionId, { afterSeq: after }), after + 1, to);
      after = to;
    }
  }
}

describe('a reader opened before the newest entries are delivered to other readers', () => {
  it('does not count the entries that it replays towards queueMaxsize', async () => {
    const log = new LateLog();
    const { bridge, logged } = open({ log, queueMaxsize: 2, backpressure: 'drop_oldest' });
    const first = await bridge.openReader();
    await emit(bridge, 1, 2, 3);
    const reader = await bridge.openReader();
    first.close();
    await log.deliver(1);
    await emit(bridge, 4, 5);
    await log.deliver(5);
    expect(numbers(await bridge.history())).toEqual([1, 2, 3, 4, 5]);
    expect(reader.read()).toBeDefined();
    await emit(bridge, 6);
    await log.deliver(6);
    expect(take(reader)).toEqual(['gap: dropped', 5, 6]);
    expect(logged.filter((line) => line.includes('Dropping'))).toEqual([
      expect.stringContaining('oldest 1 events'),
    ]);
    reader.close();
  });

  it.each(['has already begun', 'is about to begin'])(
    'is not ended by the previous turn if the next one %s',
    async (how) => {
      const log = new LateLog();
      const { bridge } = open({ log, queueMaxsize: 9, backpressure: 'drop_oldest' });
      const first = await bridge.openReader();
      await emit(bridge, 1);
      await bridge.emitFinal('before');
      const lastEventId = (await bridge.history()).at(-1)?.id ?? '';
      if (how === 'has already begun') await bridge.reopen();
      const reader = await bridge.openReader({ lastEventId });
      first.close();
      if (how === 'is about to begin') await bridge.reopen();
      await emit(bridge, 2);
      await log.deliver(4);
      expect(take(reader)).toEqual([2]);
      reader.close();
    },
  );
});

it('entries that the log lost before delivery do not count towards queueMaxsize', async () => {
  const log = new LateLog();
  const { bridge } = open({ log, queueMaxsize: 2, backpressure: 'drop_newest' });
  const reader = await bridge.openReader();
  await emit(bridge, 1, 2, 3, 4);
  const [epoch = ''] = (await bridge.history())[0]?.id.split('-') ?? [];
  await log.trim('s', { throughSeq: 2, checkpoint: null, epoch });
  await log.deliver(4);
  expect(take(reader)).toEqual([expect.stringContaining('gap'), 3, 4]);
  reader.close();
});

it('a reader gets all that another process wrote when its bridge closes but keeps the session', async () => {
  const log = new MemoryEventLog();
  const [{ bridge: here }, { bridge: there }] = [open({ log }), open({ log })];
  await emit(here, 1);
  const reader = await here.openReader();
  await emit(there, 2);
  await nextTurn();
  expect(take(reader)).toEqual([1, 2]);
  await emit(there, 3);
  await nextTurn();
  await here.close({ keepSession: true });
  expect(take(reader)).toEqual([3]);
  expect(reader.isEnded).toBe(true);
});

it('an append still pending when its bridge closes causes no gap and can be read through another', async () => {
  const stored = Promise.withResolvers<void>();
  class BusyLog extends MemoryEventLog {
    override async append(...given: Parameters<MemoryEventLog['append']>): Promise<void> {
      if (given[0].seq > 1) await stored.promise;
      await super.append(...given);
    }
  }
  const log = new BusyLog();
  const [{ bridge: here }, { bridge: there }] = [open({ log }), open({ log })];
  await emit(here, 1);
  const reader = await here.openReader();
  expect(take(reader)).toEqual([1]);
  const emitted = here.emit('custom', { n: 2 });
  await here.close({ keepSession: true });
  const rest = take(reader);
  await nextTurn();
  expect([...rest, ...take(reader)]).toEqual([]);
  expect(reader.isEnded).toBe(true);
  stored.resolve();
  await emitted;
  const next = await there.openReader({ lastEventId: reader.lastEventId });
  expect(take(next)).toEqual([2]);
  next.close();
});
