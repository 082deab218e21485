import type { EventLog } from '../log/event-log.js';
import { describeEntries } from './log-suite-entries.js';
import { describeFollow } from './log-suite-follow.js';
import { describeWriters } from './log-suite-writers.js';
import { SESSION, entry, frameOf, framesOf, readAll } from './log-suite.js';
import { vitest } from './vitest.js';

/** The log under test. */
export interface EventLogFixture {
  readonly log: EventLog;
  /** Connects another client to the same storage, as a second process would. @default returns the same log */
  connect?(): Promise<EventLog>;
  /** Whether entries survive closing all clients and connecting a new one. @default false */
  readonly isDurable?: boolean;
  /** Releases the fixture's resources, after the log was closed. */
  dispose?(): Promise<void>;
}

/**
 * Declares the tests that every {@link EventLog} must pass.
 *
 * @example describeEventLog('MemoryEventLog', async () => ({ log: new MemoryEventLog() }));
 */
export function describeEventLog(name: string, setUp: () => Promise<EventLogFixture>): void {
  const { afterEach, beforeEach, describe, expect, it } = vitest();
  describe(`${name} as an event log`, () => {
    let fixture: EventLogFixture;
    let log: EventLog;

    beforeEach(async () => {
      fixture = await setUp();
      log = fixture.log;
    });
    afterEach(async () => {
      await log.close();
      await fixture.dispose?.();
    });
    const connect = async () => (await fixture.connect?.()) ?? log;
    const logs = () => ({ log, connect });

    describeEntries(logs);
    describeWriters(logs);
    describeFollow(logs);

    it('rejects every call once it is closed, and can be closed twice', async () => {
      const { epoch } = await log.open(SESSION);
      await log.close();
      await log.close();
      await expect(log.open(SESSION)).rejects.toThrow('closed');
      await expect(log.append(entry(1), { epoch })).rejects.toThrow('closed');
      await expect(log.inspect(SESSION)).rejects.toThrow('closed');
      await expect(log.readAfter(SESSION, { afterSeq: 0 })).rejects.toThrow('closed');
      await expect(log.trim(SESSION, { throughSeq: 1, checkpoint: null, epoch })).rejects.toThrow('closed');
    });

    it('keeps everything across a restart, if it is durable', async () => {
      if (!fixture.isDurable) return;
      const { epoch } = await log.open(SESSION);
      await log.append(entry(1, { note: 1 }), { epoch });
      await log.append(entry(2, { kind: 'turn_end', safeFrames: 'data: safe\n\n', note: 2 }), { epoch });
      await log.trim(SESSION, { throughSeq: 1, checkpoint: { at: 1 }, epoch });
      await log.close();
      log = await connect();
      expect(await log.inspect(SESSION)).toEqual({
        epochs: [{ epoch, fromSeq: 1 }],
        oldestSeq: 2,
        headSeq: 2,
        turnSeq: 0,
        headKind: 'turn_end',
      });
      expect(framesOf(await readAll(log, 0))).toEqual([frameOf(2)]);
      expect(await log.open(SESSION)).toMatchObject({
        checkpoint: { at: 1 },
        notes: [{ seq: 2, note: 2 }],
        headSeq: 2,
      });
    });
  });
}
