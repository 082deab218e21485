import type { JournalRecord, RunStore } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { entry, T0, type Suite } from './run-store-subject.js';

async function collect(records: AsyncIterable<JournalRecord[]>): Promise<(number | string)[]> {
  const data: (number | string)[] = [];
  for await (const batch of records) {
    expect(batch.length).toBeGreaterThan(0);
    for (const record of batch) data.push(record.data as number | string);
  }
  return data;
}

const add = (store: RunStore, sessionId: string, ...data: number[]) =>
  store.append(sessionId, { entries: data.map((each) => entry(each)), nowMs: T0 });
const end = (store: RunStore, sessionId: string) =>
  store.append(sessionId, { entries: [entry('final')], nowMs: T0, ends: true, status: 'completed' });

export function followCases({ name, open, newRun }: Suite): void {
  describe(`${name}: following`, () => {
    it('delivers existing records, then new ones, until the run has ended', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await add(store, sessionId, 1, 2);
      const [all, rest] = [0, 1].map((afterSeq) => collect(store.follow(sessionId, { afterSeq })));
      await add(store, sessionId, 3);
      await add(store, sessionId, 4, 5);
      await end(store, sessionId);
      expect(await all).toEqual([1, 2, 3, 4, 5, 'final']);
      expect(await rest).toEqual([2, 3, 4, 5, 'final']);
      expect(await collect(store.follow(sessionId, { afterSeq: 4 }))).toEqual([5, 'final']);
    });

    it('neither loses nor repeats a record while writers and readers race', async () => {
      const { store, beside } = await open();
      const other = beside ? await beside() : store;
      const { sessionId } = await store.createRun(newRun());
      const readers = Array.from({ length: 8 }, (_, index) =>
        collect((index % 2 ? store : other).follow(sessionId, { afterSeq: 0 })),
      );
      const expected = Array.from({ length: 600 }, (_, index) => index);
      const writes: Promise<unknown>[] = [];
      for (const number of expected) {
        const written = add(number % 2 ? store : other, sessionId, number);
        writes.push(written);
        if (number % 7 === 0) await written;
      }
      // An append that is still pending when the other writer ends the run would be rejected.
      await Promise.all(writes);
      await add(store, sessionId, -1);
      await end(store, sessionId);
      for (const read of await Promise.all(readers)) {
        expect(
          read.toSorted((a, b) => Number(a) - Number(b)).filter((each) => typeof each === 'number'),
        ).toEqual([-1, ...expected]);
        expect(read.at(-1)).toBe('final');
      }
    });

    it('ends when its signal aborts, immediately if it is already aborted', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const abort = new AbortController();
      const followed = collect(store.follow(sessionId, { afterSeq: 0, signal: abort.signal }));
      await add(store, sessionId, 1);
      setImmediate(() => abort.abort());
      expect(await followed).toSatisfy((read: unknown[]) => read.length <= 1);
      expect(await collect(store.follow(sessionId, { afterSeq: 0, signal: abort.signal }))).toEqual([]);
    });

    it('continues for the other readers when one leaves', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const abort = new AbortController();
      const leaving = collect(store.follow(sessionId, { afterSeq: 0, signal: abort.signal }));
      const staying = collect(store.follow(sessionId, { afterSeq: 0 }));
      await add(store, sessionId, 1);
      abort.abort();
      await leaving;
      await add(store, sessionId, 2);
      await end(store, sessionId);
      expect(await staying).toEqual([1, 2, 'final']);
    });

    it('ends with the run, even when the append that ends it has no entries', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const follower = store.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
      await add(store, sessionId, 1);
      await follower.next();
      const rest = follower.next();
      // By then it has read everything, and waits.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await store.append(sessionId, { entries: [], nowMs: T0, ends: true });
      expect(await rest).toMatchObject({ done: true });
    });

    it('ends for a run that does not exist, and for one that was removed', async () => {
      const { store } = await open();
      expect(await collect(store.follow('sess_none', { afterSeq: 0 }))).toEqual([]);
      const { sessionId } = await store.createRun(newRun());
      await end(store, sessionId);
      await store.sweep({ endedBeforeMs: T0 + 1, nowMs: T0 });
      expect(await collect(store.follow(sessionId, { afterSeq: 0 }))).toEqual([]);
    });

    it('ends for a reader that is ahead of the journal, as after a loss of data', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await add(store, sessionId, 1, 2);
      expect(await collect(store.follow(sessionId, { afterSeq: 3 }))).toEqual([]);
    });

    it('ends when the store is closed', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const followed = collect(store.follow(sessionId, { afterSeq: 0 }));
      setImmediate(() => void store.close());
      expect(await followed).toEqual([]);
      await store.close();
    });
  });
}
