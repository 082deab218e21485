import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { configureLogging } from '../../../src/logging/logger.js';
import type { LogRecord } from '../../../src/logging/log-record.js';
import type { RunRecord } from '../../../src/scheduling/fire/run-record.js';
import { every } from '../../../src/scheduling/schedules.js';
import { startAtNoon, statusesOf } from '../scheduled-work.js';

afterEach(() => configureLogging());

function catchLog(): LogRecord[] {
  const lines: LogRecord[] = [];
  configureLogging({ sink: (record) => void lines.push(record) });
  return lines;
}

describe('a job', () => {
  it('calls the callbacks of each fire with its record', async () => {
    const clock = startAtNoon();
    const calls: string[] = [];
    const note = (name: string) => (run: RunRecord) => void calls.push(`${name} ${run.status}`);
    const job = every(1_000)
      .withCallbacks({ onFire: note('fire'), onSuccess: note('success') })
      .withCallbacks({ onError: note('error') })
      .withClock(clock)
      .run(({ scheduledAt }) => {
        if (scheduledAt.getUTCSeconds() === 2) throw new Error('no');
      });
    await clock.advance(2_000);
    expect(calls).toEqual(['fire running', 'success succeeded', 'fire running', 'error failed']);
    expect(job.counters.callbackErrors).toBe(0);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken callback');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken callback'))],
  ])('continues after a callback that %s, which is logged and counted', async (_how, onFire) => {
    const lines = catchLog();
    const clock = startAtNoon();
    const job = every(1_000)
      .withName('digest')
      .withCallbacks({ onFire })
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(2_000);
    expect(job.counters).toMatchObject({ succeeded: 2, callbackErrors: 2 });
    expect(lines[0]).toMatchObject({
      level: 'error',
      fields: { job: 'digest', callback: 'onFire', error: 'broken callback' },
    });
  });

  it('logs a failed fire unless onError handles it', async () => {
    const lines = catchLog();
    const clock = startAtNoon();
    const failing = every(1_000).withName('digest').withRetry({ maxAttempts: 2, baseMs: 1 }).withClock(clock);
    const fail = () => Promise.reject(new Error('no answer'));
    const job = failing.run(fail);
    await clock.advance(1_500);
    await job.stop();
    expect(lines).toMatchObject([
      { level: 'warn', fields: { job: 'digest', attempt: 2, error: 'no answer' } },
    ]);
    const handled = failing.withCallbacks({ onError() {} }).run(fail);
    await clock.advance(1_500);
    expect(handled.counters.failed).toBe(1);
    expect(lines).toHaveLength(1);
  });

  it('records an error whose message is not a string', async () => {
    const clock = startAtNoon();
    const job = every(1_000)
      .withClock(clock)
      .run(() => Promise.reject(Object.assign(new Error('no'), { message: { status: 404 } })));
    await clock.advance(1_000);
    expect(job.history).toMatchObject([{ status: 'failed', error: { message: { status: 404 } } }]);
    await job.stop();
  });

  it('waits for callbacks in stop() until its signal aborts', async () => {
    const clock = startAtNoon();
    const callback = Promise.withResolvers<void>();
    const job = every(1_000)
      .withCallbacks({ onSuccess: async () => callback.promise })
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(1_000);
    const controller = new AbortController();
    const stopping = job.stop({ signal: controller.signal }).catch((error: Error) => error.message);
    const ended = Promise.race([stopping, callback.promise.then(() => 'not before the callback ended')]);
    await expect.poll(() => job.status).toBe('stopped');
    await clock.advance(0);
    controller.abort(new Error('no patience'));
    await clock.advance(0);
    callback.resolve();
    expect(await ended).toBe('no patience');
    await job.finished;
  });

  it('waits for other callbacks in a stop() that a callback started after it had returned', async () => {
    const clock = startAtNoon();
    const afterFirst = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const order: string[] = [];
    let stopping: Promise<void> | undefined;
    const job = every(1_000)
      .withCallbacks({
        async onSuccess({ scheduledAt }) {
          if (scheduledAt.getUTCSeconds() === 1) {
            stopping = afterFirst.promise.then(async () => job.stop()).then(() => void order.push('stopped'));
            return;
          }
          await second.promise;
          order.push('called back');
        },
      })
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(2_000);
    afterFirst.resolve();
    await expect.poll(() => job.status).toBe('stopped');
    await clock.advance(0);
    second.resolve();
    await stopping;
    expect(order).toEqual(['called back', 'stopped']);
  });

  it('keeps the latest records up to the limit of withHistory', async () => {
    const clock = startAtNoon();
    const job = every(1_000)
      .withHistory(2)
      .withClock(clock)
      .run(() => 'ran');
    await clock.advance(5_000);
    const { history, counters } = job;
    await clock.advance(1_000);
    expect(history.map(({ scheduledAt }) => scheduledAt.getUTCSeconds())).toEqual([4, 5]);
    expect(counters.succeeded).toBe(5);
  });
});

describe('runs()', () => {
  it('yields records as they arrive until the job finishes', async () => {
    const clock = startAtNoon();
    const job = every(1_000)
      .withMaxRuns(3)
      .withClock(clock)
      .run(({ scheduledAt }) => scheduledAt.getUTCSeconds());
    const results: unknown[] = [];
    const reading = (async () => {
      for await (const run of job.runs()) results.push(run.result);
    })();
    await clock.advance(3_000);
    await reading;
    expect(results).toEqual([1, 2, 3]);
    expect(await job.runs().next()).toEqual({ done: true, value: undefined });
  });

  it('ends when its signal aborts or its reader breaks out of the loop', async () => {
    const clock = startAtNoon();
    const job = every(1_000)
      .withClock(clock)
      .run(() => 'ran');
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _run of job.runs({ signal: stop.signal })) stop.abort();
      return 'ended';
    })();
    const leaving = (async () => {
      for await (const run of job.runs()) return run.status;
      return 'never';
    })();
    await clock.advance(1_000);
    expect(await Promise.all([reading, leaving])).toEqual(['ended', 'succeeded']);
    expect(await job.runs({ signal: AbortSignal.abort() }).next()).toMatchObject({ done: true });
  });

  it('drops the oldest records of a slow reader, and logs a warning', async () => {
    const lines = catchLog();
    const clock = startAtNoon();
    const job = every(1_000)
      .withClock(clock)
      .run(({ scheduledAt }) => scheduledAt.getUTCSeconds());
    const runs = job.runs({ maxBuffered: 2 });
    const first = runs.next();
    await clock.advance(5_000);
    expect((await first).value).toMatchObject({ result: 1 });
    expect((await runs.next()).value).toMatchObject({ result: 4 });
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining('too slow')]);
    await runs.return();
    expect(statusesOf(job)).toHaveLength(5);
  });

  it('buffers nothing and removes its abort listener after its reader has left', async () => {
    const lines = catchLog();
    const { signal } = new AbortController();
    const clock = startAtNoon();
    const job = every(1_000)
      .withClock(clock)
      .run(() => 'ran');
    const runs = job.runs({ signal, maxBuffered: 1 });
    const first = runs.next();
    await clock.advance(1_000);
    await first;
    await runs.return();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await clock.advance(5_000);
    expect(lines).toEqual([]);
  });

  it.each([{ maxBuffered: 0 }, { maxBuffered: Number.NaN }, { maxBufered: 5 }, { signal: 5 }])(
    'refuses %o',
    (options) => {
      const job = every(1_000)
        .withClock(startAtNoon())
        .run(() => {});
      expect(() => job.runs(options as never)).toThrow(
        expect.objectContaining({ code: 'SCHEDULE_INVALID_OPTION' }),
      );
    },
  );
});
