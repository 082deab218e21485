import { describe, expect, it } from 'vitest';
import { SESSION, collect, frameOf, range, untilEnd, write } from './log-suite.js';
import type { SuiteLogs } from './log-suite.js';

/** Declares the tests on followers. */
export function describeFollow(logs: () => SuiteLogs): void {
  describe('followed', () => {
    it('gives what is there and what comes, once and in order, to every follower', async () => {
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

    it('waits for a session that nobody has opened yet', async () => {
      const { log, connect } = logs();
      const following = collect(await connect(), { afterSeq: 0, until: 2 });
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      expect(await following).toEqual([1, 2].map(frameOf));
    });

    it('goes on when another writer takes over', async () => {
      const { log, connect } = logs();
      const first = await log.open(SESSION);
      const following = collect(await connect(), { afterSeq: 0, until: 2 });
      await write(log, { epoch: first.epoch, from: 1 });
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 2 });
      expect(await following).toEqual([1, 2].map(frameOf));
    });

    it('leaps over what was trimmed before it was read', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 6 });
      await log.trim(SESSION, { throughSeq: 4, checkpoint: null, epoch });
      expect(await collect(log, { afterSeq: 1, until: 6 })).toEqual([5, 6].map(frameOf));
    });

    it('ends when its signal aborts, when the session is removed and when the log is closed', async () => {
      const { log } = logs();
      await log.open(SESSION);
      await log.open('session-2');
      await log.open('session-3');
      const abort = new AbortController();
      const ends = [
        untilEnd(log.follow(SESSION, { afterSeq: 0, signal: abort.signal })),
        untilEnd(log.follow('session-2', { afterSeq: 0 })),
        untilEnd(log.follow('session-3', { afterSeq: 0 })),
      ] as const;
      abort.abort();
      await ends[0];
      await log.remove('session-2');
      await ends[1];
      await log.close();
      await ends[2];
      expect(await untilEnd(log.follow(SESSION, { afterSeq: 0 }))).toBe(0);
    });

    it('ends at once with a signal that was aborted before', async () => {
      const { log } = logs();
      await log.open(SESSION);
      expect(await untilEnd(log.follow(SESSION, { afterSeq: 0, signal: AbortSignal.abort() }))).toBe(0);
    });

    it('lets a follower leave the loop without holding anything', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      for await (const page of log.follow(SESSION, { afterSeq: 0 })) {
        expect(page.firstSeq).toBe(1);
        break;
      }
      await write(log, { epoch, from: 3 });
    });
  });
}
