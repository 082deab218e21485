import { describe, expect, it } from 'vitest';
import { entry, T0, type Suite } from './run-store-subject.js';

export function journalCases({ name, open, newRun }: Suite): void {
  describe(`${name}: journal`, () => {
    it('numbers records from 1 and reads them in order from any number', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const first = await store.append(sessionId, {
        entries: [entry('a'), entry('b')],
        nowMs: T0 + 1,
        epoch: 1,
      });
      expect(first).toEqual({ outcome: 'appended', lastSeq: 2 });
      const status = 'running';
      await store.append(sessionId, { entries: [entry('c', { key: 'k' })], nowMs: T0 + 2, epoch: 1, status });
      expect(await store.readJournal(sessionId, { afterSeq: 0, limit: 10 })).toEqual([
        { seq: 1, kind: 'event', data: 'a', atMs: T0 + 1 },
        { seq: 2, kind: 'event', data: 'b', atMs: T0 + 1 },
        { seq: 3, kind: 'event', data: 'c', key: 'k', atMs: T0 + 2 },
      ]);
      const some = await store.readJournal(sessionId, { afterSeq: 1, limit: 1 });
      expect(some.map(({ data }) => data)).toEqual(['b']);
      expect(await store.readRun(sessionId)).toMatchObject({ lastSeq: 3, status, updatedAtMs: T0 + 2 });
    });

    it('accepts a key once, and nothing of an append whose key is taken', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.append(sessionId, { entries: [entry(1, { key: 'result:1' })], nowMs: T0 });
      const again = await store.append(sessionId, {
        entries: [entry(2), entry(3, { key: 'result:1' })],
        nowMs: T0,
      });
      expect(again).toEqual({ outcome: 'duplicate', key: 'result:1' });
      const twice = [entry(4, { key: 'x' }), entry(5, { key: 'x' })];
      expect(await store.append(sessionId, { entries: twice, nowMs: T0 })).toEqual({
        outcome: 'duplicate',
        key: 'x',
      });
      expect(await store.readJournal(sessionId, { afterSeq: 0, limit: 10 })).toHaveLength(1);
      const { sessionId: other } = await store.createRun(newRun());
      const elsewhere = await store.append(other, { entries: [entry(1, { key: 'result:1' })], nowMs: T0 });
      expect(elsewhere.outcome).toBe('appended');
    });

    it('accepts one of many concurrent appends of a key', async () => {
      const { store, beside } = await open();
      const other = beside ? await beside() : store;
      const { sessionId } = await store.createRun(newRun());
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? store : other).append(sessionId, { entries: [entry(index, { key: 'k' })], nowMs: T0 }),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1);
    });

    it('numbers concurrent appends without a gap', async () => {
      const { store, beside } = await open();
      const other = beside ? await beside() : store;
      const { sessionId } = await store.createRun(newRun());
      await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 ? store : other).append(sessionId, { entries: [entry(index), entry(index)], nowMs: T0 }),
        ),
      );
      const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 100 });
      expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      // The records of one append are adjacent.
      for (let index = 0; index < 60; index += 2) expect(records[index]?.data).toBe(records[index + 1]?.data);
    });

    it('keeps only the newest record of a slot', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      for (const text of ['t', 'te', 'tex']) {
        await store.append(sessionId, {
          entries: [entry(text, { slot: 'text' }), entry('other')],
          nowMs: T0,
        });
      }
      const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 10 });
      expect(records.map(({ seq, data }) => [seq, data])).toEqual([
        [2, 'other'],
        [4, 'other'],
        [5, 'tex'],
        [6, 'other'],
      ]);
      expect(records[2]).toMatchObject({ slot: 'text' });
      const both = ['text', 'text!'].map((text) => entry(text, { slot: 'text' }));
      await store.append(sessionId, { entries: both, nowMs: T0 });
      const [newest, ...more] = await store.readJournal(sessionId, { afterSeq: 6, limit: 10 });
      expect([newest?.seq, newest?.data, more]).toEqual([8, 'text!', []]);
      expect(await store.readJournal(sessionId, { afterSeq: 4, limit: 1 })).toMatchObject([{ seq: 6 }]);
    });

    it('keeps the status until an append changes it, and the time of the last append', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.append(sessionId, { entries: [], nowMs: T0 + 1, status: 'waiting_for_tools' });
      const added = await store.append(sessionId, { entries: [entry(1)], nowMs: T0 + 2 });
      expect(added).toEqual({ outcome: 'appended', lastSeq: 1 });
      expect(await store.append(sessionId, { entries: [], nowMs: T0 + 3 })).toEqual(added);
      const known = { status: 'waiting_for_tools', updatedAtMs: T0 + 3, lastSeq: 1 };
      expect(await store.readRun(sessionId)).toMatchObject(known);
      await store.append(sessionId, { entries: [], nowMs: T0 + 4, ends: true });
      expect(await store.readRun(sessionId)).toMatchObject({ status: known.status, endedAtMs: T0 + 4 });
    });

    it('rejects a stale epoch, but not an append without an epoch', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.claimRun(sessionId, { owner: 'owner-1', nowMs: T0, leaseMs: 1000 });
      expect(await store.append(sessionId, { entries: [entry(1)], nowMs: T0, epoch: 1 })).toEqual({
        outcome: 'stale',
      });
      expect((await store.append(sessionId, { entries: [entry(2)], nowMs: T0, epoch: 2 })).outcome).toBe(
        'appended',
      );
      expect((await store.append(sessionId, { entries: [entry(3)], nowMs: T0 })).outcome).toBe('appended');
      await store.append(sessionId, { entries: [], nowMs: T0, epoch: 2, ends: true });
      expect(await store.append(sessionId, { entries: [entry(4)], nowMs: T0, epoch: 1 })).toEqual({
        outcome: 'stale',
      });
    });

    it('rejects an append whose writer knows a later record than the last one: some are lost', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const append = { entries: [entry(1), entry(2)], nowMs: T0, epoch: 1 };
      expect(await store.append(sessionId, { ...append, knownSeq: 1 })).toEqual({ outcome: 'stale' });
      expect(await store.readRun(sessionId)).toMatchObject({ lastSeq: 0 });
      for (const knownSeq of [0, 2, 3]) await store.append(sessionId, { ...append, knownSeq });
      expect(await store.readRun(sessionId)).toMatchObject({ lastSeq: 6 });
    });

    it('accepts nothing after the end of a run, and nothing for a run that does not exist', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const last = {
        entries: [entry('final', { key: 'final' })],
        nowMs: T0 + 9,
        epoch: 1,
        status: 'failed',
        ends: true,
      } as const;
      expect(await store.append(sessionId, last)).toEqual({ outcome: 'appended', lastSeq: 1 });
      for (const late of [entry(1), entry(1, { key: 'final' })])
        expect(await store.append(sessionId, { entries: [late], nowMs: T0 })).toEqual({ outcome: 'ended' });
      expect(await store.readRun(sessionId)).toMatchObject({ status: 'failed', endedAtMs: T0 + 9 });
      expect(await store.append('sess_none', { entries: [entry(1)], nowMs: T0 })).toEqual({
        outcome: 'missing',
      });
    });

    it.each([
      ['a string with special characters', 'a\u0000b\u2028c\ud83d\ude00 "\\" \r\n'],
      [
        'a nested value',
        { list: [[[{ a: null }]]], number: 0.1, big: 2 ** 53 - 1, 'key with "quotes"': false },
      ],
      ['null', null],
      ['a large value', 'x'.repeat(200_000)],
    ])('returns %s unchanged', async (_, data) => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.append(sessionId, { entries: [{ kind: 'result', data }], nowMs: T0 });
      const [record] = await store.readJournal(sessionId, { afterSeq: 0, limit: 1 });
      expect(record?.data).toEqual(data);
    });
  });
}
