import type { EventLog } from '../log/event-log.js';
import { describeEntries } from './log-suite-entries.js';
import { describeFollow } from './log-suite-follow.js';
import { describeWriters } from './log-suite-writers.js';
import { SESSION, entry, frameOf, framesOf, readAll } from './log-suite.js';
import { vitest } from './vitest.js';

/** What the suite runs on. */
export interface EventLogFixture {
  readonly log: EventLog;
  /** Another client of the same storage, as a second process has it. @default the same log */
  connect?(): Promise<EventLog>;
  /** Whether what was appended is there after all clients were closed and a new one connects. @default false */
  readonly isDurable?: boolean;
  /** Frees what the fixture holds. The log has been closed. */
  dispose?(): Promise<void>;
}

/**
 * Declares the tests that every {@link EventLog} has to pass.
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

    it('refuses everything once it is closed, and closes twice', async () => {
      const { epoch } = await log.open(SESSION);
      await log.close();
      await log.close();
      await expect(log.open(SESSION)).rejects.toThrow('closed');
      await expect(log.append(entry(1), { epoch })).rejects.toThrow('closed');
      await expect(log.inspect(SESSION)).rejects.toThrow('closed');
      await expect(log.readAfter(SESSION, { afterSeq: 0 })).rejects.toThrow('closed');
      await expect(log.trim(SESSION, { throughSeq: 1, checkpoint: null, epoch })).rejects.toThrow('closed');
    });

    it('keeps everything over a restart, when it is durable', async () => {
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
