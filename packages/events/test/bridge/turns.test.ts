import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';
import type { Logger } from '../../src/logger.js';
import { collectEvents, readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const open = (options: EventBridgeOptions = {}) => new EventBridge('s', { logger: silentLogger, ...options });
const texts = (events: readonly { data: Record<string, unknown> }[]) =>
  events.map(({ data }) => data.n ?? data.response ?? data.error ?? data.session_id);

describe('a turn that has ended', () => {
  it.each(['final', 'error', 'session_end'])(
    'with %s accepts no more events, and logs a warning for each',
    async (name) => {
      const warnings: string[] = [];
      const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
      const bridge = open({ logger, schemaValidation: 'off' });
      await bridge.emit(name, { session_id: 's' });
      expect(bridge.closed).toBe(true);
      await bridge.emit('custom', { n: 1 });
      await bridge.emitFinal('again');
      expect(await bridge.history()).toHaveLength(1);
      expect(warnings).toHaveLength(2);
      const why = name === 'session_end' ? 'the session has ended' : 'the turn has ended';
      expect(warnings[0]).toMatch(`'custom' of session 's': ${why}. Call reopen()`);
    },
  );

  it('is replayed to every reader without a cursor, whose stream then ends', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emitFinal('done');
    for (let i = 0; i < 3; i += 1) expect(texts(await readAll(bridge.generateSse()))).toEqual([1, 'done']);
  });

  it('has a history without the next turn, even if that begins meanwhile', async () => {
    const log = new MemoryEventLog();
    const bridge = open({ log });
    await bridge.emitFinal('done');
    const inspect = log.inspect.bind(log);
    log.inspect = async (sessionId) => {
      const status = await inspect(sessionId);
      log.inspect = inspect;
      await bridge.reopen();
      await bridge.emit('custom', { n: 1 });
      return status;
    };
    expect(texts(await bridge.history())).toEqual(['done']);
  });

  it.each<[string, (bridge: EventBridge) => Promise<void>]>([
    ['the turn has ended', (bridge) => bridge.emitFinal('done')],
    ['the session has ended', (bridge) => bridge.close()],
    ['the bridge was closed with keepSession', (bridge) => bridge.close({ keepSession: true })],
  ])('keeps no private values in memory after %s', async (_, end) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const given: WeakRef<object>[] = [];
    const privateValues = () => {
      const value = { token: 'secret-1234' };
      given.push(new WeakRef(value));
      return [{ name: 'token', value }];
    };
    const bridge = open({ privateValues, audience: 'frontend_safe' });
    await bridge.emitStatusMessage({ assistantId: 'desk', message: 'has secret-1234' });
    await end(bridge);
    const held = async () => {
      await new Promise(setImmediate);
      collect();
      return given.filter((each) => each.deref() !== undefined).length;
    };
    await expect.poll(held, { timeout: 10_000 }).toBe(0);
    expect(given.length).toBeGreaterThan(0);
    const [first] = await bridge.history();
    expect(first?.data).toMatchObject({ message: 'has {_{token}_}' });
  });

  it('makes a reader that has seen all of it wait for the next turn', async () => {
    const bridge = open();
    await bridge.emitFinal('one');
    const [last] = await bridge.history();
    const waiting = readAll(bridge.generateSse({ lastEventId: last?.id ?? '' }));
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    expect(bridge.subscriberCount).toBe(1);
    await bridge.reopen();
    expect(bridge.subscriberCount).toBe(1);
    await bridge.emitFinal('two');
    expect(texts(await waiting)).toEqual(['two']);
  });
});

describe('reopening', () => {
  it('starts a turn with its own history, repeats and identities', async () => {
    const bridge = open();
    const question = { interruptId: 'i', dataKey: 'k', prompt: 'p' };
    const assignment = { agentName: 'A', status: 'in_progress' };
    await bridge.emitInterruptRequired(question);
    await bridge.emitAgentAssignment({ ...assignment, assignmentId: '1' });
    await bridge.reopen();
    expect(await bridge.history()).toEqual([]);
    await bridge.emitInterruptRequired(question);
    await bridge.emitAgentAssignment({ ...assignment, assignmentId: '2' });
    const [again, other] = await bridge.history();
    expect(again?.type).toBe('interrupt_required');
    expect(other?.data.assignment_id).toBe('2');
  });

  it('keeps earlier turns for readers to resume, one turn per connection', async () => {
    const bridge = open();
    for (const turn of ['one', 'two', 'three']) {
      await bridge.reopen();
      await bridge.emit('custom', { n: turn });
      await bridge.emitFinal(`${turn} done`);
    }
    const first = await collectEvents(open().generateSse({ lastEventId: '' }), 0);
    expect(first).toEqual([]);
    let cursor = `${(await bridge.history())[0]?.id.split('-')[0]}-0`;
    const connections: unknown[][] = [];
    for (let i = 0; i < 3; i += 1) {
      const events = await readAll(bridge.generateSse({ lastEventId: cursor }));
      connections.push(texts(events));
      cursor = events.at(-1)?.id ?? '';
    }
    expect(connections).toEqual([
      ['one', 'one done'],
      ['two', 'two done'],
      ['three', 'three done'],
    ]);
  });

  it('does nothing to an empty turn, however often it is repeated', async () => {
    const bridge = open();
    await bridge.reopen();
    await bridge.reopen();
    await bridge.emit('custom', { n: 1 });
    const [event] = await bridge.history();
    expect(event?.id).toMatch(/-1$/);
    await bridge.reopen();
    await bridge.reopen();
    await bridge.emit('custom', { n: 2 });
    const [later] = await bridge.history();
    expect(later?.id).toMatch(/-3$/);
  });

  it('in the middle of a turn keeps the readers attached', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await bridge.reopen();
    await bridge.emit('custom', { n: 2 });
    await bridge.emitFinal('done');
    expect(texts(await reading)).toEqual([1, 2, 'done']);
  });
});

describe('a session start', () => {
  const question = { interruptId: 'i', dataKey: 'k', prompt: 'p' };
  const start = { session_id: 's', assistant_id: 'a' };

  it.each([
    [undefined, 3],
    [true, 3],
    [false, 2],
  ])(
    'lets a question be repeated unless resetOnSessionStart is false (%s)',
    async (resetOnSessionStart, count) => {
      const bridge = open({ resetOnSessionStart });
      await bridge.emitInterruptRequired(question);
      await bridge.emit('session_start', start);
      await bridge.emitInterruptRequired(question);
      expect(await bridge.history()).toHaveLength(count);
    },
  );

  it('does not reset identities', async () => {
    const bridge = open();
    await bridge.emitAgentAssignment({ agentName: 'A', status: 'in_progress', assignmentId: '1' });
    await bridge.emit('session_start', start);
    await bridge.emitAgentAssignment({ agentName: 'A', status: 'in_progress', assignmentId: '2' });
    expect((await bridge.history()).at(-1)?.data.assignment_id).toBe('1');
  });
});

describe('a session that has ended', () => {
  it('with close() lets readers read everything, and then end', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await bridge.emit('custom', { n: 2 });
    await bridge.close();
    await bridge.close();
    expect(texts(await reading)).toEqual([1, 2]);
    expect(texts(await readAll(bridge.generateSse()))).toEqual([1, 2]);
    expect(texts(await bridge.history())).toEqual([1, 2]);
  });

  it('contains exactly what was emitted before close(), even while the log was being opened', async () => {
    const bridge = open();
    const emitted = [bridge.emit('custom', { n: 1 }), bridge.emit('custom', { n: 2 })];
    const closing = bridge.close();
    const late = bridge.emit('custom', { n: 3 });
    await Promise.all([...emitted, closing, late]);
    expect(texts(await bridge.history())).toEqual([1, 2]);
    expect(bridge.closed).toBe(true);
  });

  it('resolves every close() only when its end is in the log', async () => {
    class SlowLog extends MemoryEventLog {
      override async append(...entry: Parameters<MemoryEventLog['append']>): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        return super.append(...entry);
      }
    }
    const log = new SlowLog();
    const bridge = open({ log });
    await bridge.emit('custom', { n: 1 });
    void bridge.close();
    await bridge.close();
    expect(await log.inspect(bridge.sessionId)).toMatchObject({ headKind: 'session_end' });
  });

  it('with session_end and close() at once lets readers read everything, and then end', async () => {
    const bridge = open({ log: sqliteEventLog({ path: ':memory:' }) });
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    void bridge.emit('custom', { n: 2 });
    void bridge.emit('session_end', { session_id: 's' });
    await bridge.close();
    expect(texts(await reading)).toEqual([1, 2, 's']);
  });

  it.each([{ keepSession: false }, { keepSession: true }])(
    'lets readers that arrive during close(%o) read everything, and then end',
    async (how) => {
      const bridge = open({ log: sqliteEventLog({ path: ':memory:' }) });
      const emitted = bridge.emit('custom', { n: 1 });
      void bridge.close(how);
      const early = await readAll(bridge.generateSse());
      await emitted;
      await bridge.close();
      expect([texts(early), texts(await readAll(bridge.generateSse()))]).toEqual([[1], [1]]);
    },
  );

  it('rejects close() if a session_end on its way to the log does not get there', async () => {
    const log = new MemoryEventLog();
    const bridge = open({ log });
    await bridge.emit('custom', { n: 1 });
    log.append = () => Promise.reject(new Error('the disk is full'));
    const ending = bridge.emit('session_end', { session_id: 's' });
    const closing = bridge.close();
    await expect(ending).rejects.toThrow('the disk is full');
    await expect(closing).rejects.toThrow('the disk is full');
  });

  it('opens an already ended reader for a cursor that has seen everything', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const [event] = await bridge.history();
    const cursor = { lastEventId: event?.id ?? '' };
    const before = await bridge.openReader(cursor);
    expect(before.isEnded).toBe(false);
    await bridge.close();
    const after = await bridge.openReader(cursor);
    expect(after.isEnded).toBe(true);
    expect(after.read()).toBeUndefined();
    expect((await bridge.openReader({})).isEnded).toBe(false);
    before.close();
  });

  it('ends readers even if nothing was ever emitted', async () => {
    const bridge = open();
    await bridge.close();
    expect(await readAll(bridge.generateSse())).toEqual([]);
    expect((await bridge.toResponse(new Request('http://localhost/'))).status).toBe(204);
  });

  it('is not reported as over by a bridge that only released it', async () => {
    const bridge = open();
    await bridge.close({ keepSession: true });
    const response = await bridge.toResponse(new Request('http://localhost/'));
    expect([response.status, await response.text()]).toEqual([200, ': open\n\n']);
  });

  it.each([{ keepSession: false }, { keepSession: true }])(
    'continues after a reopen() that does not wait for close(%o)',
    async (how) => {
      const bridge = open();
      // Before the first event is in the log, and after it.
      for (const n of [1, 2]) {
        const [emitted, closed] = [bridge.emit('custom', { n }), bridge.close(how)];
        const reopened = bridge.reopen();
        await Promise.all([emitted, closed, reopened]);
        expect(bridge.closed).toBe(false);
      }
      await bridge.emit('custom', { n: 3 });
      expect((await bridge.history()).map(({ data }) => data.n)).toEqual([3]);
      await Promise.all([bridge.reopen(), bridge.close(how)]);
      expect(bridge.closed).toBe(true);
    },
  );

  it('keeps its readers if reopen() does not wait for close({ keepSession: true })', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    const reader = await bridge.openReader();
    expect(reader.read()).toBeDefined();
    await Promise.all([bridge.close({ keepSession: true }), bridge.reopen()]);
    await bridge.emit('custom', { n: 2 });
    await reader.readable();
    while (reader.read() === undefined && !reader.isEnded) await reader.readable();
    expect(reader.read()).toBeUndefined();
    expect(reader.isEnded).toBe(false);
    reader.close();
  });

  it('is not changed by a close() after close({ keepSession: true })', async () => {
    const log = new MemoryEventLog();
    const bridge = open({ log });
    await bridge.emit('custom', { n: 1 });
    await bridge.close({ keepSession: true });
    await bridge.close();
    expect(await log.inspect(bridge.sessionId)).toMatchObject({ headSeq: 1 });
  });

  it('continues after reopen()', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.close();
    await bridge.emit('custom', { n: 2 });
    await bridge.reopen();
    expect(bridge.closed).toBe(false);
    await bridge.emit('custom', { n: 3 });
    expect(texts(await bridge.history())).toEqual([3]);
  });

  it.each(['internal', 'frontend_safe'] as const)(
    'and was reopened continues for readers with a cursor from before its end (%s)',
    async (audience) => {
      const bridge = open({ audience });
      await bridge.emit('custom', { n: 1 });
      await bridge.emitFinal('one');
      const cursors = (await bridge.history()).map(({ id }) => ({ lastEventId: id }));
      await bridge.close();
      await bridge.reopen();
      await bridge.emit('custom', { n: 2 });
      const [first, last] = cursors;
      expect(texts(await readAll(bridge.generateSse(first)))).toEqual(['one']);
      expect(texts(await collectEvents(bridge.generateSse(last), 1))).toEqual([2]);
      await bridge.close();
      expect(texts(await readAll(bridge.generateSse(last)))).toEqual([2]);
      const [newest] = await bridge.history();
      expect((await bridge.openReader({ lastEventId: newest?.id })).isEnded).toBe(true);
    },
  );

  it('has its bridge closed by the end of an `await using` block', async () => {
    let bridge: EventBridge;
    {
      await using scoped = open();
      bridge = scoped;
      await bridge.emit('custom', { n: 1 });
    }
    expect(bridge.closed).toBe(true);
  });
});
