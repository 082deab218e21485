import { getEventListeners } from 'node:events';
import { lastSeqOf } from '../log/log-page.js';
import { SESSION, collect, entry, frameOf, framesOf, range, untilEnd, write } from './log-suite.js';
import type { SuiteLogs } from './log-suite.js';
import { vitest } from './vitest.js';

/** Declares the tests on following a session. */
export function describeFollow(logs: () => SuiteLogs): void {
  const { describe, expect, it } = vitest();
  describe('when followed', () => {
    it('delivers existing and new entries to every follower, once and in order', async () => {
      const { log, connect } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 3 });
      const other = await connect();
      const followers = [
        collect(log, { afterSeq: 0, until: 8 }),
        collect(log, { afterSeq: 2, until: 8 }),
        collect(other, { afterSeq: 3, until: 8 }),
      ];
      await write(log, { epoch, from: 4, to: 8 });
      const [all, some, live] = await Promise.all(followers);
      expect(all).toEqual(range(1, 8).map(frameOf));
      expect(some).toEqual(range(3, 8).map(frameOf));
      expect(live).toEqual(range(4, 8).map(frameOf));
    });

    it('waits for a session that has not been opened yet', async () => {
      const { log, connect } = logs();
      const following = collect(await connect(), { afterSeq: 0, until: 2 });
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      expect(await following).toEqual([1, 2].map(frameOf));
    });

    it('continues when another writer takes over', async () => {
      const { log, connect } = logs();
      const first = await log.open(SESSION);
      const following = collect(await connect(), { afterSeq: 0, until: 2 });
      await write(log, { epoch: first.epoch, from: 1 });
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 2 });
      expect(await following).toEqual([1, 2].map(frameOf));
    });

    it('skips entries that were trimmed before they were read', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 6 });
      await log.trim(SESSION, { throughSeq: 4, checkpoint: null, epoch });
      expect(await collect(log, { afterSeq: 1, until: 6 })).toEqual([5, 6].map(frameOf));
    });

    it('ends when its signal aborts, the session is removed or the log is closed', async () => {
      const { log } = logs();
      await log.open(SESSION);
      await log.open('session-2');
      const third = await log.open('session-3');
      const abort = new AbortController();
      const untouched = log.follow('session-3', { afterSeq: 0 })[Symbol.asyncIterator]();
      const first = untouched.next();
      const ends = [
        untilEnd(log.follow(SESSION, { afterSeq: 0, signal: abort.signal })),
        untilEnd(log.follow('session-2', { afterSeq: 0 })),
      ] as const;
      abort.abort();
      await ends[0];
      await log.remove('session-2');
      await ends[1];
      await log.append({ ...entry(1), sessionId: 'session-3' }, third);
      expect((await first).done).toBe(false);
      const end = untouched.next();
      await log.close();
      expect((await end).done).toBe(true);
      expect(await untilEnd(log.follow(SESSION, { afterSeq: 0 }))).toBe(0);
    });

    it.each([
      ['removes the session', 0],
      ['starts a new session in its place', 3],
    ])('ends when another client %s', async (_, to) => {
      const { log, connect } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      const pages = (await connect()).follow(SESSION, { afterSeq: 1 })[Symbol.asyncIterator]();
      expect(framesOf((await pages.next()).value ?? [])).toEqual([frameOf(2)]);
      const next = pages.next();
      await log.remove(SESSION);
      if (to > 0) await write(log, { epoch: (await log.open(SESSION)).epoch, from: 1, to });
      expect((await next).done).toBe(true);
    });

    it('stops immediately when its iterator is returned, even while it waits', async () => {
      const { log } = logs();
      await log.open(SESSION);
      const { signal } = new AbortController();
      const pages = log.follow(SESSION, { afterSeq: 0, signal })[Symbol.asyncIterator]();
      const waiting = pages.next();
      expect((await pages.return?.())?.done).toBe(true);
      expect((await waiting).done).toBe(true);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      const unread = log.follow(SESSION, { afterSeq: 0, signal })[Symbol.asyncIterator]();
      expect((await unread.return?.())?.done).toBe(true);
      expect((await unread.next()).done).toBe(true);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    it('answers reads that were started together in order, and ends those that are left', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      const pages = log.follow(SESSION, { afterSeq: 0 })[Symbol.asyncIterator]();
      const reads = [pages.next(), pages.next(), pages.next(), pages.next()];
      await write(log, { epoch, from: 1 });
      expect(framesOf((await reads[0])?.value ?? [])).toEqual([frameOf(1)]);
      await write(log, { epoch, from: 2 });
      expect(framesOf((await reads[1])?.value ?? [])).toEqual([frameOf(2)]);
      await pages.return?.();
      expect((await reads[2])?.done).toBe(true);
      expect((await reads[3])?.done).toBe(true);
    });

    it('ends immediately when its signal is already aborted', async () => {
      const { log } = logs();
      await log.open(SESSION);
      expect(await untilEnd(log.follow(SESSION, { afterSeq: 0, signal: AbortSignal.abort() }))).toBe(0);
    });

    it('keeps entries that arrive while a follower is processing a page', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      const pages = log.follow(SESSION, { afterSeq: 0 })[Symbol.asyncIterator]();
      const frames: string[] = [];
      const readTo = async (seq: number) => {
        for (let last = 0; last < seq;) {
          const { value: page } = await pages.next();
          frames.push(...framesOf(page));
          last = lastSeqOf(page);
        }
      };
      const first = readTo(1);
      await write(log, { epoch, from: 1 });
      await first;
      await write(log, { epoch, from: 2, to: 3 });
      await new Promise((resolve) => setImmediate(resolve));
      await write(log, { epoch, from: 4 });
      await readTo(4);
      expect(frames).toEqual(range(1, 4).map(frameOf));
      await pages.return?.();
    });

    it('delivers nothing after its signal has aborted, not even existing entries', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1 });
      const abort = new AbortController();
      const pages = log.follow(SESSION, { afterSeq: 0, signal: abort.signal })[Symbol.asyncIterator]();
      expect((await pages.next()).done).toBe(false);
      await write(log, { epoch, from: 2 });
      abort.abort();
      expect((await pages.next()).done).toBe(true);
      expect((await pages.next()).done).toBe(true);
    });

    it('leaves no listener on the signal when the loop is left or the session removed', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      const { signal } = new AbortController();
      for await (const page of log.follow(SESSION, { afterSeq: 0, signal })) {
        expect(page.firstSeq).toBe(1);
        break;
      }
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      await write(log, { epoch, from: 3 });
      const end = untilEnd(log.follow(SESSION, { afterSeq: 3, signal }));
      await log.remove(SESSION);
      expect(await end).toBe(0);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}
