import { describe, expect, it } from 'vitest';
import type { RunStore, RunSummary } from '@svc/contracts/orchestrator';
import { entry, T0, type Suite } from './run-store-subject.js';

const claim = (owner: string, nowMs: number) => ({ owner, nowMs, leaseMs: 1000 });
const end = (store: RunStore, sessionId: string, nowMs = T0) =>
  store.append(sessionId, { entries: [], nowMs, status: 'completed', ends: true });

export function runCases({ name, open, newRun }: Suite): void {
  describe(`${name}: runs`, () => {
    it('returns a run as it was created', async () => {
      const { store } = await open();
      const request = { text: 'ä 𝄞 \u2028 "quoted"', deep: [{ a: null, b: [1.5, -0.25, 1e21] }], '': true };
      const run = newRun({ request, threadId: 'thread-1', labels: { a: 'b' } });
      const created = await store.createRun(run);
      const { nowMs: _nowMs, leaseMs: _leaseMs, ...rest } = run;
      expect(created).toEqual({
        ...rest,
        status: 'pending',
        createdAtMs: T0,
        updatedAtMs: T0,
        leaseUntilMs: T0 + 1000,
        epoch: 1,
        lastSeq: 0,
      });
      expect(await store.readRun(run.sessionId)).toEqual(created);
      const alone = await store.createRun(newRun());
      expect(await store.readRun(alone.sessionId)).toEqual(alone);
      expect(await store.readRun('sess_none')).toBeUndefined();
    });

    it('rejects an id that is taken', async () => {
      const { store } = await open();
      const run = newRun();
      await store.createRun(run);
      await expect(store.createRun(run)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
    });

    it('creates no more unfinished runs of a project than allowed, even at once', async () => {
      const { store } = await open();
      const limit = { maxOpenRuns: 2, projectId: 'limited' };
      const runs = Array.from({ length: 5 }, () => newRun(limit));
      const outcomes = await Promise.allSettled(runs.map((run) => store.createRun(run)));
      const error = { code: 'TOO_MANY_RUNS', details: { project_id: 'limited', limit: 2 } };
      const created = runs.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      expect(created).toHaveLength(2);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(error);
      for (const run of created) {
        await expect(store.createRun(run)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
        expect(await store.readRun(run.sessionId)).not.toHaveProperty('maxOpenRuns');
      }
      await store.createRun(newRun({ maxOpenRuns: 2, projectId: 'elsewhere' }));
      await store.createRun(newRun({ projectId: 'limited' }));
      for (const { sessionId } of created) await end(store, sessionId);
      await store.createRun(newRun(limit));
      await expect(store.createRun(newRun(limit))).rejects.toMatchObject(error);
    });

    it('lists runs newest first, page by page, without their requests', async () => {
      const { store } = await open();
      const times = [1, 2, 3, 3, 4];
      // The ids do not reflect when a run was created.
      const runs = times.map((time, index) =>
        newRun({ nowMs: T0 + time, projectId: 'listed', sessionId: `listed-${9 - index}` }),
      );
      for (const run of runs) await store.createRun(run);
      await store.createRun(newRun({ projectId: 'other' }));
      const all = await store.listRuns({ projectId: 'listed', limit: 10 });
      expect(all.map(({ createdAtMs }) => createdAtMs - T0)).toEqual([4, 3, 3, 2, 1]);
      expect(all[0]).not.toHaveProperty('request');
      const paged: string[] = [];
      for (;;) {
        const last = all.find(({ sessionId }) => sessionId === paged.at(-1));
        const page = await store.listRuns({
          projectId: 'listed',
          limit: 2,
          ...(last ? { before: last } : {}),
        });
        expect(page.length).toBeLessThanOrEqual(2);
        paged.push(...page.map(({ sessionId }) => sessionId));
        if (page.length < 2) break;
      }
      expect(paged).toEqual(all.map(({ sessionId }) => sessionId));
    });

    it('lists each run of one millisecond once, page by page, whatever collation orders the ids', async () => {
      const { store } = await open();
      const names = ['a', 'B', 'c', 'D', '_', '0', 'ab'];
      for (const sessionId of names) await store.createRun(newRun({ projectId: 'tied', sessionId }));
      const paged: RunSummary[] = [];
      for (let page = 0; page <= names.length; page += 1) {
        const last = paged.at(-1);
        const before = last ? { before: last } : {};
        paged.push(...(await store.listRuns({ projectId: 'tied', limit: 1, ...before })));
      }
      expect(paged.map(({ sessionId }) => sessionId).toSorted()).toEqual(names.toSorted());
    });

    it('lists by thread and by whether a run has ended, and counts the open ones', async () => {
      const { store } = await open();
      const [first, second] = [newRun({ threadId: 't' }), newRun()];
      const elsewhere = newRun({ threadId: 't', projectId: 'project-3' });
      for (const run of [first, second, elsewhere]) await store.createRun(run);
      await end(store, second.sessionId);
      await end(store, elsewhere.sessionId);
      const ids = async (query: object) =>
        (await store.listRuns({ limit: 10, projectId: 'project-1', ...query })).map(
          ({ sessionId }) => sessionId,
        );
      expect(await ids({ threadId: 't' })).toEqual([first.sessionId]);
      const thread = { projectId: 'project-3', threadId: 't' };
      expect(await ids(thread)).toEqual([elsewhere.sessionId]);
      expect(await ids({ ...thread, claimableBy: { owner: 'owner-1', nowMs: T0 } })).toEqual([]);
      expect(await ids({ ended: false })).toEqual([first.sessionId]);
      expect(await ids({ ended: true })).toEqual([second.sessionId]);
    });

    it('gives a run to another owner only when its lease has expired, and counts the owners', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      expect(await store.claimRun(sessionId, claim('owner-2', T0 + 999))).toBeUndefined();
      expect(await store.claimRun(sessionId, claim('owner-1', T0 + 1))).toMatchObject({
        epoch: 2,
        owner: 'owner-1',
      });
      const taken = await store.claimRun(sessionId, claim('owner-2', T0 + 1001));
      expect(taken).toMatchObject({ epoch: 3, owner: 'owner-2', leaseUntilMs: T0 + 2001 });
      expect(await store.claimRun('sess_none', claim('owner-1', T0))).toBeUndefined();
    });

    it('lists what an owner may claim: its own runs and those whose lease has expired', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      const claimable = async (owner: string, nowMs: number) =>
        (await store.listRuns({ limit: 10, claimableBy: { owner, nowMs } })).map((run) => run.sessionId);
      expect(await claimable('owner-1', T0)).toEqual([sessionId]);
      expect(await claimable('owner-2', T0)).toEqual([]);
      expect(await claimable('owner-2', T0 + 1000)).toEqual([sessionId]);
      await store.releaseRun(sessionId, 1);
      expect(await claimable('owner-2', T0)).toEqual([sessionId]);
      expect(await claimable('owner-1', -1)).toEqual([sessionId]);
      expect(await claimable('owner-2', -1)).toEqual([]);
      await end(store, sessionId);
      expect(await claimable('owner-1', T0)).toEqual([]);
      expect(await store.claimRun(sessionId, claim('owner-1', T0))).toBeUndefined();
    });

    it('renews the leases of an owner, and releases a run', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.renewLeases(claim('owner-1', T0 + 900));
      expect(await store.claimRun(sessionId, claim('owner-2', T0 + 1500))).toBeUndefined();
      await store.releaseRun(sessionId, 99);
      expect(await store.claimRun(sessionId, claim('owner-2', T0 + 1500))).toBeUndefined();
      await store.releaseRun(sessionId, 1);
      expect(await store.claimRun(sessionId, claim('owner-2', T0 + 1500))).toMatchObject({ epoch: 2 });
    });

    it('renews the leases of all runs of an owner, except those another owner has taken over', async () => {
      const { store } = await open();
      const [first, second, taken] = [newRun(), newRun(), newRun()];
      for (const run of [first, second, taken]) await store.createRun(run);
      await store.releaseRun(taken.sessionId, 1);
      await store.claimRun(taken.sessionId, claim('owner-2', T0));
      const leases = async () => {
        const runs = [first, second, taken].map(({ sessionId }) => store.readRun(sessionId));
        return (await Promise.all(runs)).map((run) => Number(run?.leaseUntilMs) - T0);
      };
      await store.renewLeases(claim('owner-1', T0 + 500));
      expect(await leases()).toEqual([1500, 1500, 1000]);
      await store.renewLeases(claim('owner-2', T0 + 700));
      expect(await leases()).toEqual([1500, 1500, 1700]);
    });

    it('gives a run to one of many owners that claim it concurrently', async () => {
      const { store, beside } = await open();
      const other = beside ? await beside() : store;
      const { sessionId } = await store.createRun(newRun({ leaseMs: 0 }));
      const wanted = Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? store : other).claimRun(sessionId, claim(`owner-${index + 10}`, T0 + 1)),
      );
      expect((await Promise.all(wanted)).filter(Boolean)).toHaveLength(1);
    });

    it('removes runs that ended before a given time, and nothing else', async () => {
      const { store } = await open();
      const [early, late, unfinished] = [newRun(), newRun(), newRun()];
      for (const run of [early, late, unfinished]) await store.createRun(run);
      await end(store, early.sessionId, T0 + 1);
      await end(store, late.sessionId, T0 + 5);
      expect(await store.sweep({ endedBeforeMs: T0 + 5, nowMs: T0 + 10 })).toBe(1);
      expect(await store.readRun(early.sessionId)).toBeUndefined();
      expect(await store.readJournal(early.sessionId, { afterSeq: 0, limit: 10 })).toEqual([]);
      expect(await store.readRun(late.sessionId)).toBeDefined();
      expect(await store.readRun(unfinished.sessionId)).toBeDefined();
      const full = store.createRun(newRun({ maxOpenRuns: 1 }));
      await expect(full).rejects.toMatchObject({ code: 'TOO_MANY_RUNS' });
    });

    it('rejects every call once it is closed', async () => {
      const { store } = await open();
      const { sessionId } = await store.createRun(newRun());
      await store.close();
      const place = { projectId: 'p', collection: 'c', id: 'd' };
      const operations: readonly (() => Promise<unknown>)[] = [
        async () => store.createRun(newRun()),
        async () => store.readRun(sessionId),
        async () => store.listRuns({ limit: 1 }),
        async () => store.claimRun(sessionId, claim('other', T0)),
        async () => store.renewLeases(claim('other', T0)),
        async () => store.releaseRun(sessionId, 1),
        async () => store.append(sessionId, { entries: [], nowMs: T0 }),
        async () => store.readJournal(sessionId, { afterSeq: 0, limit: 1 }),
        async () => store.putDocument({ ...place, value: 1, nowMs: T0 }),
        async () => store.readDocument(place, T0),
        async () => store.listDocuments({ projectId: 'p', collection: 'c', limit: 1, nowMs: T0 }),
        async () => store.deleteDocument(place),
        async () => store.increment('n', 1, { nowMs: T0, expiresAtMs: T0 + 1 }),
        async () => store.sweep({ endedBeforeMs: T0, nowMs: T0 }),
      ];
      const ends = await Promise.all(
        operations.map(async (ask) => ask().then(String, (error) => error.code)),
      );
      expect(ends).toEqual(operations.map(() => 'STORE_CLOSED'));
    });

    it('keeps everything while it is closed, if it is persistent', async ({ skip }) => {
      const { store, reopen } = await open();
      if (!reopen) return skip('this store is not persistent');
      const { sessionId } = await store.createRun(newRun());
      await store.append(sessionId, { entries: [entry('one', { key: 'k' })], nowMs: T0, epoch: 1 });
      await store.putDocument({ projectId: 'p', collection: 'c', id: 'd', value: [1], nowMs: T0 });
      await store.close();
      await store.close();
      const again = await reopen();
      expect(await again.readJournal(sessionId, { afterSeq: 0, limit: 10 })).toHaveLength(1);
      expect(await again.append(sessionId, { entries: [entry('two', { key: 'k' })], nowMs: T0 })).toEqual({
        outcome: 'duplicate',
        key: 'k',
      });
      expect(await again.readDocument({ projectId: 'p', collection: 'c', id: 'd' }, T0)).toMatchObject({
        value: [1],
      });
    });
  });
}
