import { describe, expect, it } from 'vitest';
import { LedgerBook } from '../../../src/scheduling/store/ledger-book.js';
import { settle, type SettledFire } from '../../../src/scheduling/store/ledger.js';
import type { ScheduleStore } from '../../../src/scheduling/store/schedule-store.js';
import { fireOf, ledgerOf } from './ledger-steps.js';

const ended = (id: string): SettledFire =>
  settle(fireOf(`${id} running`), { status: 'succeeded', finished_at_ms: 9 });

/** Defines the tests every schedule store must pass. `open` returns stores on the same data. */
export function describeScheduleStore(name: string, start: () => { open: () => ScheduleStore }): void {
  describe(name, () => {
    it('has no data for a job before its first save', async () => {
      const store = start().open();
      expect(await store.load('digest')).toBeUndefined();
      expect(await store.history('digest', 10)).toEqual([]);
    });

    it('returns a ledger as it was saved, with an increasing version', async () => {
      const store = start().open();
      const ledger = ledgerOf(['a running', 'b'], { cursor_ms: 5, runs: 3 });
      expect(await store.save('digest', { expectedVersion: 0, ledger, settled: [] })).toBe(true);
      expect(await store.load('digest')).toEqual({ version: 1, ledger });
      expect(await store.save('digest', { expectedVersion: 1, ledger: ledgerOf([]), settled: [] })).toBe(
        true,
      );
      expect(await store.load('digest')).toEqual({ version: 2, ledger: ledgerOf([]) });
    });

    it('refuses a save based on another version, and writes none of it', async () => {
      const store = start().open();
      await store.save('digest', { expectedVersion: 0, ledger: ledgerOf([]), settled: [] });
      for (const expectedVersion of [0, 2]) {
        const change = { expectedVersion, ledger: ledgerOf(['a']), settled: [ended('a')] };
        expect(await store.save('digest', change)).toBe(false);
      }
      expect(await store.save('other', { expectedVersion: 1, ledger: ledgerOf([]), settled: [] })).toBe(
        false,
      );
      expect(await store.load('digest')).toEqual({ version: 1, ledger: ledgerOf([]) });
      expect(await store.history('digest', 10)).toEqual([]);
    });

    it('keeps the settled fires of each job, oldest first', async () => {
      const store = start().open();
      await store.save('digest', {
        expectedVersion: 0,
        ledger: ledgerOf([]),
        settled: [ended('a'), ended('b')],
      });
      await store.save('digest', { expectedVersion: 1, ledger: ledgerOf([]), settled: [ended('c')] });
      await store.save('other', { expectedVersion: 0, ledger: ledgerOf([]), settled: [ended('d')] });
      expect((await store.history('digest', 2)).map(({ fire_id }) => fire_id)).toEqual(['b', 'c']);
      expect(await store.history('other', 10)).toEqual([ended('d')]);
      expect(await store.history('other', 0)).toEqual([]);
    });

    it('keeps the last thousand fires of a job', async () => {
      const store = start().open();
      const many = Array.from({ length: 1_005 }, (_, at) => ended(`fire${at}`));
      await store.save('digest', { expectedVersion: 0, ledger: ledgerOf([]), settled: many.slice(0, 3) });
      await store.save('digest', { expectedVersion: 1, ledger: ledgerOf([]), settled: many.slice(3) });
      const kept = await store.history('digest', 5_000);
      expect([kept.length, kept[0]?.fire_id, kept.at(-1)?.fire_id]).toEqual([1_000, 'fire5', 'fire1004']);
    });

    it('lets only one of many concurrent writers save each version', async () => {
      const { open } = start();
      const books = [open(), open(), open()].map((store) => new LedgerBook(store, 'digest'));
      await books[0]!.take(() => ({ ledger: ledgerOf([]), settled: [], begun: [] }));
      const counts = Array.from({ length: 60 }, (_, at) => books[at % 3]!);
      await Promise.all(
        counts.map(async (book) =>
          book.take((ledger) => ({ ledger: { ...ledger!, runs: ledger!.runs + 1 }, settled: [], begun: [] })),
        ),
      );
      expect((await open().load('digest'))?.ledger.runs).toBe(60);
    });

    it('can be closed twice', async () => {
      const store = start().open();
      await store.close();
      await store.close();
    });
  });
}
