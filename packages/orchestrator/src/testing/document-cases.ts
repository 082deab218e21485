import { describe, expect, it } from 'vitest';
import { T0, type Suite } from './run-store-subject.js';

const place = { projectId: 'p', collection: 'c', id: 'd' };

export function documentCases({ name, open }: Suite): void {
  describe(`${name}: documents and counters`, () => {
    it('writes, reads and deletes a document, and counts its versions', async () => {
      const { store } = await open();
      const value = { text: 'ä\u2028', list: [1, null] };
      const first = { ...place, value, version: 1, createdAtMs: T0, updatedAtMs: T0 };
      expect(await store.putDocument({ ...place, value, nowMs: T0 })).toEqual(first);
      const second = { ...first, value: 2, version: 2, updatedAtMs: T0 + 5 };
      expect(await store.putDocument({ ...place, value: 2, nowMs: T0 + 5 })).toEqual(second);
      expect(await store.readDocument(place, T0)).toEqual(second);
      expect(await store.deleteDocument(place)).toBe(true);
      expect(await store.deleteDocument(place)).toBe(false);
      expect(await store.readDocument(place, T0)).toBeUndefined();
    });

    it.each([
      ['another project', { ...place, projectId: 'q' }],
      ['no project', { ...place, projectId: '' }],
      ['another collection', { ...place, collection: 'c:d' }],
    ])('keeps a document of %s separate', async (_, other) => {
      const { store } = await open();
      await store.putDocument({ ...place, value: 'mine', nowMs: T0 });
      expect(await store.readDocument(other, T0)).toBeUndefined();
      await store.putDocument({ ...other, value: 'theirs', nowMs: T0 });
      expect(await store.readDocument(place, T0)).toMatchObject({ value: 'mine' });
      expect(await store.listDocuments({ ...place, nowMs: T0, limit: 10 })).toHaveLength(1);
    });

    it('overwrites only the expected version', async () => {
      const { store } = await open();
      expect(await store.putDocument({ ...place, value: 1, nowMs: T0, ifVersion: 1 })).toBeUndefined();
      const writers = Array.from({ length: 10 }, (_, value) =>
        store.putDocument({ ...place, value, nowMs: T0, ifVersion: 0 }),
      );
      expect((await Promise.all(writers)).filter(Boolean)).toHaveLength(1);
      expect(await store.putDocument({ ...place, value: 2, nowMs: T0, ifVersion: 0 })).toBeUndefined();
      expect(await store.putDocument({ ...place, value: 3, nowMs: T0, ifVersion: 1 })).toMatchObject({
        version: 2,
      });
    });

    it('lists in order of creation, oldest or newest first', async () => {
      const { store } = await open();
      for (const id of ['b', 'a', 'c']) await store.putDocument({ ...place, id, value: id, nowMs: T0 });
      await store.putDocument({ ...place, id: 'b', value: 'again', nowMs: T0 + 1 });
      const ids = async (more: object) =>
        (await store.listDocuments({ ...place, nowMs: T0, limit: 10, ...more })).map(({ id }) => id);
      expect(await ids({})).toEqual(['b', 'a', 'c']);
      expect(await ids({ newestFirst: true, limit: 2 })).toEqual(['c', 'a']);
    });

    it('drops a document when it expires', async () => {
      const { store } = await open();
      await store.putDocument({ ...place, id: 'kept', value: 1, nowMs: T0 });
      await store.putDocument({ ...place, value: 1, nowMs: T0, expiresAtMs: T0 + 10 });
      expect(await store.readDocument(place, T0 + 9)).toBeDefined();
      expect(await store.readDocument(place, T0 + 10)).toBeUndefined();
      expect(await store.listDocuments({ ...place, nowMs: T0 + 10, limit: 5 })).toHaveLength(1);
      const again = await store.putDocument({ ...place, value: 2, nowMs: T0 + 10, ifVersion: 0 });
      expect(again).toMatchObject({ version: 1, createdAtMs: T0 + 10 });
      expect(await store.listDocuments({ ...place, nowMs: T0 + 10, limit: 5 })).toMatchObject([
        { id: 'kept' },
        { id: place.id },
      ]);
      await store.putDocument({ ...place, id: 'short', value: 1, nowMs: T0, expiresAtMs: T0 + 10 });
      const last = { ...place, nowMs: T0 + 10, limit: 1, newestFirst: true };
      expect(await store.listDocuments(last)).toMatchObject([{ id: place.id }]);
      await store.putDocument({ ...place, value: 3, nowMs: T0, expiresAtMs: T0 + 10 });
      await store.sweep({ endedBeforeMs: 0, nowMs: T0 + 30 });
      expect(await store.readDocument(place, T0)).toBeUndefined();
      expect(await store.readDocument({ ...place, id: 'kept' }, T0)).toBeDefined();
    });

    it('keeps a document that is rewritten without an expiry', async () => {
      const { store } = await open();
      await store.putDocument({ ...place, value: 1, nowMs: T0, expiresAtMs: T0 + 10 });
      await store.putDocument({ ...place, value: 2, nowMs: T0 + 1 });
      await store.sweep({ endedBeforeMs: 0, nowMs: T0 + 30 });
      expect(await store.readDocument(place, T0 + 30)).toMatchObject({ value: 2, version: 2 });
    });

    it('lists each of many documents exactly once', async () => {
      const { store } = await open();
      const expected = Array.from({ length: 250 }, (_, index) => `document ${index}`);
      for (const id of expected) await store.putDocument({ ...place, id, value: null, nowMs: T0 });
      const list = async (newestFirst: boolean) =>
        (await store.listDocuments({ ...place, nowMs: T0, limit: 300, newestFirst })).map(({ id }) => id);
      expect(await list(false)).toEqual(expected);
      expect(await list(true)).toEqual(expected.toReversed());
    });

    it('counts, and starts over when a counter has expired', async () => {
      const { store } = await open();
      const time = { nowMs: T0, expiresAtMs: T0 + 10 };
      expect(await store.increment('n', 2, time)).toBe(2);
      expect(await store.increment('n', 3, { nowMs: T0 + 9, expiresAtMs: T0 + 99 })).toBe(5);
      expect(await store.increment('m', 1, time)).toBe(1);
      expect(await store.increment('n', 1, { nowMs: T0 + 10, expiresAtMs: T0 + 99 })).toBe(1);
      await store.sweep({ endedBeforeMs: 0, nowMs: T0 + 98 });
      expect(await store.increment('n', -3, { nowMs: T0 + 98, expiresAtMs: T0 + 999 })).toBe(-2);
      await store.sweep({ endedBeforeMs: 0, nowMs: T0 + 99 });
      expect(await store.increment('n', 2, { nowMs: T0 + 99, expiresAtMs: T0 + 999 })).toBe(2);
    });

    it('counts every one of many concurrent increments', async () => {
      const { store } = await open();
      const time = { nowMs: T0, expiresAtMs: T0 + 10 };
      const values = await Promise.all(Array.from({ length: 50 }, () => store.increment('n', 1, time)));
      expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });
  });
}
