import { describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventLog, LogEvent, WriterToken } from '../../src/log/event-log.js';
import { StaleEpochError } from '../../src/errors.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';
import { nextTurn } from './numbered-events.js';

const open = (log: EventLog) => new EventBridge('s', { log, logger: silentLogger });
const numbers = (events: readonly { data: Record<string, unknown> }[]) => events.map(({ data }) => data.n);
const stale = { code: 'EVENT_LOG_STALE_EPOCH' };

describe('two bridges on one log', () => {
  it('reject events emitted to the one that was taken over, until it reopens the session', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    await second.emit('custom', { n: 2 });
    await expect(first.emit('custom', { n: 3 })).rejects.toMatchObject(stale);
    await expect(first.emit('custom', { n: 4 })).rejects.toMatchObject(stale);
    expect(numbers(await second.history())).toEqual([1, 2]);

    await first.reopen();
    await first.emit('custom', { n: 5 });
    await expect(second.emit('custom', { n: 6 })).rejects.toMatchObject(stale);
    expect(numbers(await first.history())).toEqual([5]);
  });

  it('can start turns alternately, without having noticed that the other one wrote', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    const reading = collectEvents(second.generateSse(), 1);
    for (const [n, bridge] of [first, second, second, first].entries()) {
      await bridge.reopen();
      await bridge.emit('custom', { n });
      expect(numbers(await bridge.history())).toEqual([n]);
      await bridge.emitFinal('done');
    }
    expect(numbers(await reading)).toEqual([0]);
    expect((await log.inspect('s'))?.epochs).toHaveLength(3);
  });

  it('can start a turn even after one in which only the other one wrote', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    await first.reopen();
    await second.emit('custom', { n: 2 });
    await first.reopen();
    await first.emit('custom', { n: 3 });
    expect(numbers(await first.history())).toEqual([3]);
  });

  it('reject events emitted before reopen() and accept those after it, awaited or not', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    await second.emit('custom', { n: 2 });
    const late = [3, 4].map((n) => first.emit('custom', { n }));
    await expect(late[0]).rejects.toMatchObject(stale);
    late.push(first.emit('custom', { n: 5 }));
    const turn = [first.reopen(), first.emit('custom', { n: 6 }), first.emitFinal('done')];
    for (const outcome of await Promise.allSettled(late.slice(1)))
      expect(outcome).toMatchObject({ status: 'rejected', reason: stale });
    await Promise.all(turn);
    expect(numbers(await first.history())).toEqual([6, undefined]);
  });

  it('deliver every event to the readers of both, in order and once', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    const reading = [first, second].map((bridge) => collectEvents(bridge.generateSse(), 4));
    await first.waitForSubscriber({ timeoutMs: 1000 });
    await first.emit('custom', { n: 1 });
    await first.emit('custom', { n: 2 });
    await second.emit('custom', { n: 3 });
    await second.emitFinal('done');
    for (const events of await Promise.all(reading)) {
      expect(numbers(events)).toEqual([1, 2, 3, undefined]);
    }
  });

  it('let a reader resume at the other one with its cursor', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    for (let n = 1; n <= 3; n += 1) await first.emit('custom', { n });
    const [one] = await collectEvents(first.generateSse(), 1);
    await second.emit('custom', { n: 4 });
    await second.emitFinal('done');
    const rest = await readAll(second.generateSse({ lastEventId: one?.id ?? '' }));
    expect(numbers(rest)).toEqual([2, 3, 4, undefined]);
  });

  it('keep the session when the one that was taken over is closed', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    await second.emit('custom', { n: 2 });
    await expect(first.emit('custom', { n: 3 })).rejects.toMatchObject(stale);
    await first.close();
    expect(first.closed).toBe(true);
    expect((await log.inspect('s'))?.headKind).toBe('event');
    await second.close();
    expect((await log.inspect('s'))?.headKind).toBe('session_end');
  });

  it('notice that the other one has ended the turn', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emitFinal('done');
    await second.emit('custom', { n: 1 });
    expect(second.closed).toBe(true);
    expect((await second.history()).map(({ type }) => type)).toEqual(['final']);
  });

  it('keep the session when a bridge that only served readers is closed', async () => {
    const log = new MemoryEventLog();
    const [writer, server] = [open(log), open(log)];
    await writer.emit('custom', { n: 1 });
    const served = readAll(server.generateSse());
    await server.waitForSubscriber({ timeoutMs: 1000 });
    await server.close();
    expect(numbers(await served)).toEqual([1]);
    await writer.emit('custom', { n: 2 });
    expect(numbers(await writer.history())).toEqual([1, 2]);
  });

  it('keep the session when its writer is closed with keepSession', async () => {
    const log = new MemoryEventLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    const reading = readAll(first.generateSse());
    await first.waitForSubscriber({ timeoutMs: 1000 });
    await first.emit('custom', { n: 2 });
    await first.close({ keepSession: true });
    expect(numbers(await reading)).toEqual([1, 2]);
    expect((await log.inspect('s'))?.headKind).toBe('event');
    await second.emit('custom', { n: 3 });
    expect(numbers(await second.history())).toEqual([1, 2, 3]);
  });
});

/** A log that can fail its next append, before or after storing it, or refuse to be opened. */
class FailingLog extends MemoryEventLog {
  fails: 'before' | 'after' | undefined;
  isGone = false;
  /** What another process does to the session just before it is opened the next time. */
  meanwhile: (() => Promise<void>) | undefined;

  override async open(...given: Parameters<MemoryEventLog['open']>) {
    if (this.isGone) throw new Error('connection lost');
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    return super.open(...given);
  }

  override async append(event: LogEvent, writer: WriterToken): Promise<void> {
    const { fails } = this;
    this.fails = undefined;
    if (fails === 'before') throw new Error('connection lost');
    await super.append(event, writer);
    if (fails === 'after') throw new Error('connection lost');
  }
}

describe('a log that fails', () => {
  const tool = (toolId: string, status: string) => ({ toolName: 'fetch', toolId, status });

  it('leaves no trace of an event that it did not store', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emitToolEvent(tool('other', 'completed'));
    log.fails = 'before';
    await expect(bridge.emitToolEvent(tool('lost', 'executing'))).rejects.toThrow('connection lost');
    await bridge.emitToolEvent(tool('next', 'executing'));
    const ids = (await bridge.history()).map(({ data }) => data.tool_id);
    expect(ids).toEqual(['other', 'next']);
  });

  it('keeps an event that it stored but rejected, and no id is issued twice', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emitToolEvent(tool('first', 'executing'));
    log.fails = 'after';
    await expect(bridge.emit('custom', { n: 2 })).rejects.toThrow('connection lost');
    await bridge.emitToolEvent(tool('second', 'completed'));
    const history = await bridge.history();
    expect(history.map(({ type }) => type)).toEqual(['tool_event', 'custom', 'tool_event']);
    expect(history[2]?.data.tool_id).toBe('first');
    expect(new Set(history.map(({ id }) => id)).size).toBe(3);
  });

  it('rejects all appends in progress, and accepts later ones', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emit('custom', { n: 1 });
    log.fails = 'before';
    const appends = [2, 3, 4].map((n) => bridge.emit('custom', { n }));
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await bridge.emit('custom', { n: 5 });
    expect(numbers(await bridge.history())).toEqual([1, 5]);
  });

  it.each([32, 33, 34, 35])('leaves no trace of event %d either, with which it is trimmed', async (nth) => {
    const log = new FailingLog();
    const bridge = new EventBridge('s', { log, maxHistory: 1, logger: silentLogger });
    const question = { interruptId: 'q', prompt: 'Continue?', dataKey: 'go_on' };
    for (let n = 1; n < nth; n += 1) await bridge.emit('custom', { n });
    log.fails = 'before';
    await expect(bridge.emitInterruptRequired(question)).rejects.toThrow('connection lost');
    await bridge.emitInterruptRequired(question);
    expect((await bridge.history()).at(-1)?.type).toBe('interrupt_required');
  });

  it('is opened by the next event if it could not be opened for the first one', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    log.isGone = true;
    await expect(bridge.emit('custom', { n: 1 })).rejects.toThrow('connection lost');
    log.isGone = false;
    await bridge.emit('custom', { n: 2 });
    expect(numbers(await bridge.history())).toEqual([2]);
  });

  it('is trimmed later if it could not be trimmed, with a warning', async () => {
    const log = new MemoryEventLog();
    const warn = vi.fn();
    const bridge = new EventBridge('s', { log, maxHistory: 1, logger: { ...silentLogger, warn } });
    vi.spyOn(log, 'trim').mockRejectedValueOnce(new Error('connection lost'));
    for (let n = 1; n <= 80; n += 1) await bridge.emit('custom', { n });
    expect(warn.mock.calls).toEqual([["Could not trim session 's', will retry: Error: connection lost"]]);
    expect((await log.inspect('s'))?.oldestSeq).toBeGreaterThan(1);
  });

  it('may throw at once instead of rejecting', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, maxHistory: 1, logger: silentLogger });
    const thrown = () => {
      throw new Error('connection lost');
    };
    vi.spyOn(log, 'trim').mockImplementation(thrown);
    for (let n = 1; n <= 40; n += 1) await bridge.emit('custom', { n });
    vi.spyOn(log, 'append').mockImplementationOnce(thrown);
    await expect(bridge.emitFinal('done')).rejects.toThrow('connection lost');
    await bridge.emitFinal('done');
    expect((await bridge.history()).map(({ type }) => type)).toEqual(['final']);
  });

  it('leaves trimming to the bridge that has taken over, without a warning', async () => {
    const log = new MemoryEventLog();
    const warn = vi.fn();
    const bridge = new EventBridge('s', { log, maxHistory: 1, logger: { ...silentLogger, warn } });
    vi.spyOn(log, 'trim').mockRejectedValue(new StaleEpochError('s'));
    for (let n = 1; n <= 40; n += 1) await bridge.emit('custom', { n });
    expect(log.trim).toHaveBeenCalled();
    expect(warn).not.toHaveBeenCalled();
  });

  it('does not let the bridge take the session back from a process that just took it over', async () => {
    const log = new FailingLog();
    const [first, second] = [open(log), open(log)];
    await first.emit('custom', { n: 1 });
    log.fails = 'before';
    await expect(first.emit('custom', { n: 2 })).rejects.toThrow('connection lost');
    log.meanwhile = () => second.emit('custom', { n: 3 });
    await expect(first.emit('custom', { n: 4 })).rejects.toMatchObject(stale);
    await second.emit('custom', { n: 5 });
    expect(numbers(await second.history())).toEqual([1, 3, 5]);
  });

  it('is reopened by a turn that starts while it fails', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emit('custom', { n: 1 });
    log.fails = 'before';
    const outcomes = await Promise.allSettled([bridge.emit('custom', { n: 2 }), bridge.reopen()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await bridge.emit('custom', { n: 3 });
    expect(numbers(await bridge.history())).toEqual([3]);
  });

  it('is tried again when the session is closed', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emit('custom', { n: 1 });
    log.fails = 'before';
    await expect(bridge.emit('custom', { n: 2 })).rejects.toThrow('connection lost');
    await bridge.close();
    expect((await log.inspect('s'))?.headKind).toBe('session_end');
  });

  it('is not opened again when the bridge is closed with keepSession', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    log.fails = 'before';
    await expect(bridge.emit('custom', { n: 1 })).rejects.toThrow('connection lost');
    log.isGone = true;
    await bridge.close({ keepSession: true });
    expect(bridge.closed).toBe(true);
  });

  it('still lets the readers end if the end of the session cannot be stored', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 10_000 });
    log.fails = 'before';
    await expect(bridge.close()).rejects.toThrow('connection lost');
    expect(numbers(await reading)).toEqual([1]);
  });

  it('gives readers a new epoch and stream_gap after it has lost everything', async () => {
    const log = new MemoryEventLog();
    const bridge = open(log);
    for (let n = 1; n <= 3; n += 1) await bridge.emit('custom', { n });
    const cursor = (await bridge.history()).at(-1)?.id ?? '';
    await log.remove('s');
    await expect(bridge.emit('custom', { n: 4 })).rejects.toMatchObject(stale);
    await bridge.emit('custom', { n: 5 });
    await bridge.emitFinal('done');
    const events = await readAll(bridge.generateSse({ lastEventId: cursor }));
    expect(events.map(({ type }) => type)).toEqual(['stream_gap', 'custom', 'final']);
    expect(events[0]?.data).toEqual({ reason: 'epoch', requested_id: cursor, oldest_id: events[1]?.id });
  });
});

describe('a log', () => {
  it('that is slow to open gets the events before a new turn first', async () => {
    const log = new FailingLog();
    const bridge = open(log);
    log.meanwhile = () => nextTurn();
    await Promise.all([bridge.emit('custom', { n: 1 }), bridge.reopen(), bridge.emit('custom', { n: 2 })]);
    expect([numbers(await bridge.history()), bridge.headSeq]).toEqual([[2], 3]);
  });

  it('is trimmed in steps', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, maxHistory: 200, logger: silentLogger });
    const trim = vi.spyOn(log, 'trim');
    for (let n = 1; n <= 400; n += 1) await bridge.emit('custom', { n });
    expect(trim.mock.calls.map(([, { throughSeq }]) => throughSeq)).toEqual([51, 102, 153]);
  });
});

describe('a bridge that opens a session whose stored state was changed by somebody', () => {
  const note = { seq: 1, note: [['status', 4711]] };
  it.each([
    ['note', { notes: [note] }],
    ['checkpoint', { checkpoint: { seq: 1, effects: 'secret-4711' } }],
    ['checkpoint without a number', { checkpoint: { effects: [] } }],
    ['checkpoint that is no object', { checkpoint: 4711 }],
  ])('refuses to write because of a malformed %s, and can once it is repaired', async (_, stored) => {
    const log = new MemoryEventLog();
    await open(log).emit('custom', { n: 1 });
    const read = log.open.bind(log);
    const opening = vi
      .spyOn(log, 'open')
      .mockImplementation(async (...given) => ({ ...(await read(...given)), ...stored }));
    const bridge = open(log);
    const advice = /^The event log could not open the session: [a-z ]+\. Repair or remove the session$/;
    const refused = { code: 'EVENT_LOG_UNAVAILABLE', message: expect.stringMatching(advice) };
    await expect(bridge.emit('custom', { n: 2 })).rejects.toMatchObject(refused);
    await expect(bridge.emit('custom', { n: 3 })).rejects.toMatchObject(refused);
    opening.mockRestore();
    await bridge.emit('custom', { n: 4 });
    expect(numbers(await bridge.history())).toEqual([1, 4]);
  });

  it('passes over the notes that its checkpoint covers', async () => {
    const log = new MemoryEventLog();
    const bridge = open(log);
    await bridge.emit('custom', { n: 1 });
    const read = log.open.bind(log);
    vi.spyOn(log, 'open').mockImplementation(async (...given) => ({
      ...(await read(...given)),
      notes: [note],
      checkpoint: { seq: 1, effects: [] },
    }));
    const next = open(log);
    await next.emit('custom', { n: 2 });
    expect(numbers(await next.history())).toEqual([1, 2]);
  });
});
