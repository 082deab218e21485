import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { BridgeRegistry } from '../../src/bridge/registry.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const create = (sessionId: string) => new EventBridge(sessionId, { logger: silentLogger });
const open = (options = {}) => new BridgeRegistry({ logger: silentLogger, create, ...options });

beforeEach(() => {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...timers, 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a registry', () => {
  it('keeps one bridge per session', async () => {
    await using registry = open();
    expect(registry.get('s')).toBeUndefined();
    const bridge = registry.getOrCreate('s');
    expect(registry.getOrCreate('s', () => expect.unreachable())).toBe(bridge);
    expect(registry.get('s')).toBe(bridge);
    expect(registry.size).toBe(1);
  });

  it('holds 10,000 sessions by default', async () => {
    const log = new MemoryEventLog();
    await using registry = open({
      create: (id: string) => new EventBridge(id, { log, logger: silentLogger }),
    });
    for (let i = 0; i < 10_000; i += 1) registry.getOrCreate(`session-${i}`);
    expect(() => registry.getOrCreate('one more')).toThrow('its limit of 10000 sessions');
  });

  it('creates a bridge with the given factory', async () => {
    await using registry = open();
    const bridge = registry.getOrCreate('s', (id) => new EventBridge(id, { audience: 'frontend_safe' }));
    expect([bridge.sessionId, bridge.audience]).toEqual(['s', 'frontend_safe']);
    const plain = new BridgeRegistry();
    expect(plain.getOrCreate('t').audience).toBe('internal');
    expect(plain.getOrCreate('u', null).audience).toBe('internal');
    await plain.close();
  });

  it('ends the session of a removed bridge, and remembers that it has ended', async () => {
    await using registry = open();
    const bridge = registry.getOrCreate('s');
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await registry.remove('s');
    await registry.remove('s');
    await registry.remove('unknown');
    expect(await reading).toHaveLength(1);
    expect(bridge.closed).toBe(true);
    expect(registry.get('s')).toBeUndefined();
    expect([registry.hasEnded('s'), registry.hasEnded('unknown')]).toEqual([true, false]);
    registry.getOrCreate('s');
    expect(registry.hasEnded('s')).toBe(false);
  });

  it('remembers the newest 10,000 removed sessions', async () => {
    await using registry = open();
    for (let n = 0; n <= 10_000; n += 1) {
      registry.getOrCreate(`s${n}`);
      await registry.remove(`s${n}`);
    }
    expect(['s0', 's1', 's10000'].map((id) => registry.hasEnded(id))).toEqual([false, true, true]);
  });

  it('notifies a listener of new bridges and of its own closing, until the listener is removed', async () => {
    await using registry = open();
    const heard: (string | undefined)[] = [];
    const stop = registry.onBridge((bridge) => heard.push(bridge?.sessionId));
    registry.getOrCreate('a');
    registry.getOrCreate('a');
    registry.getOrCreate('b');
    const early = registry.onBridge(() => expect.unreachable());
    early();
    await registry.close();
    expect(heard).toEqual(['a', 'b', undefined]);
    stop();
  });
});

describe('an idle bridge', () => {
  it('is released after idleTimeoutMs without a reader or an event', async () => {
    await using registry = open({ idleTimeoutMs: 60_000 });
    const busy = registry.getOrCreate('busy');
    const read = registry.getOrCreate('read');
    registry.getOrCreate('idle');
    const reader = await read.openReader();
    for (let minute = 0; minute < 3; minute += 1) {
      await busy.emit('custom', {});
      await vi.advanceTimersByTimeAsync(59_000);
    }
    expect([registry.get('busy'), registry.get('read'), registry.get('idle')]).toEqual([
      busy,
      read,
      undefined,
    ]);
    reader.close();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(registry.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    registry.getOrCreate('later');
    await vi.advanceTimersByTimeAsync(200_000);
    expect(registry.size).toBe(0);
  });

  it('is released after 30 minutes by default', async () => {
    await using registry = open();
    const bridge = registry.getOrCreate('s');
    await vi.advanceTimersByTimeAsync(29 * 60_000);
    expect(registry.get('s')).toBe(bridge);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(registry.get('s')).toBeUndefined();
  });

  it('is released within a minute after idleTimeoutMs, however long that is', async () => {
    await using registry = open({ idleTimeoutMs: 3_600_000 });
    registry.getOrCreate('other');
    await vi.advanceTimersByTimeAsync(600_000);
    const bridge = registry.getOrCreate('s');
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(registry.get('s')).toBe(bridge);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(registry.get('s')).toBeUndefined();
  });

  it.each([3_600_000, -3_600_000])(
    'is released at the right time even if the system clock changes by %i ms',
    async (jumpMs) => {
      await using registry = open({ idleTimeoutMs: 60_000 });
      const bridge = registry.getOrCreate('s');
      vi.setSystemTime(Date.now() + jumpMs);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(registry.get('s')).toBe(bridge);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(registry.get('s')).toBeUndefined();
    },
  );

  it('is released without a console message', async () => {
    const logged = (['debug', 'log', 'info', 'warn'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    onTestFinished(() => logged.forEach((each) => each.mockRestore()));
    await using registry = new BridgeRegistry({ idleTimeoutMs: 1000 });
    registry.getOrCreate('s');
    await vi.advanceTimersByTimeAsync(3000);
    expect([registry.size, ...logged.map(({ mock }) => mock.calls.length)]).toEqual([0, 0, 0, 0, 0]);
  });

  it('is released with a debug message', async () => {
    const debug = vi.fn();
    await using registry = open({ idleTimeoutMs: 1000, logger: { ...silentLogger, debug } });
    registry.getOrCreate('s');
    await vi.advanceTimersByTimeAsync(3000);
    expect(debug.mock.calls).toEqual([["Released the idle bridge of session 's'"]]);
  });

  it('leaves its session in a shared log, and does not count as ended', async () => {
    const log = new MemoryEventLog();
    await using registry = open({
      idleTimeoutMs: 1000,
      create: (id: string) => new EventBridge(id, { log, logger: silentLogger }),
    });
    const bridge = registry.getOrCreate('s');
    await bridge.emit('custom', { n: 1 });
    await vi.advanceTimersByTimeAsync(5000);
    expect([registry.get('s'), bridge.closed]).toEqual([undefined, true]);
    expect(registry.hasEnded('s')).toBe(false);
    expect((await log.inspect('s'))?.headKind).toBe('event');
    expect(await registry.getOrCreate('s').history()).toHaveLength(1);
  });
});

/** A bridge whose log cannot be reached. */
class LostBridge extends EventBridge {
  override async close(): Promise<void> {
    throw new Error('connection lost');
  }
}

it('an idle bridge that cannot be closed is released with a warning', async () => {
  const warn = vi.fn();
  await using registry = open({ idleTimeoutMs: 1000, logger: { ...silentLogger, warn } });
  registry.getOrCreate('s', (id) => new LostBridge(id));
  await vi.advanceTimersByTimeAsync(3000);
  expect(registry.size).toBe(0);
  expect(warn.mock.calls).toEqual([
    ["The bridge of session 's' could not be closed: Error: connection lost"],
  ]);
});

describe('BridgeRegistry', () => {
  it('refuses a session above maxSessions, unless another one is between turns and has no reader', async () => {
    await using registry = open({ maxSessions: 2 });
    const first = registry.getOrCreate('1');
    const second = registry.getOrCreate('2');
    await first.emitFinal('done');
    await second.emitFinal('done');
    const [last] = await first.history();
    const reader = await first.openReader({ lastEventId: last?.id ?? '' });
    registry.getOrCreate('3');
    expect([registry.get('1'), registry.get('2')]).toEqual([first, undefined]);
    expect(() => registry.getOrCreate('4')).toThrow(expect.objectContaining({ code: 'EVENT_SESSION_LIMIT' }));
    reader.close();
    registry.getOrCreate('4');
    expect(registry.get('1')).toBeUndefined();
  });

  it('refuses an unknown option, and options of the wrong type', () => {
    expect(() => open({ idleTimeout: 5 })).toThrow(
      new TypeError(
        "BridgeRegistry: unknown option 'idleTimeout'. Known options: maxSessions, idleTimeoutMs, create, logger.",
      ),
    );
    expect(() => open(JSON.parse('{"create":"bridge"}'))).toThrow(
      new TypeError('create must be a function, got string'),
    );
    expect(() => new BridgeRegistry(((sessionId: string) => new EventBridge(sessionId)) as never)).toThrow(
      new TypeError('BridgeRegistry: options must be an object with options by name, got function'),
    );
    expect(() => open(Object.assign({}, { logger: { warn() {} } }))).toThrow(
      new TypeError('logger must have a debug method'),
    );
  });

  it.each(['maxSessions', 'idleTimeoutMs'])('refuses 0 as %s', (name) => {
    expect(() => open({ [name]: 0 })).toThrow(new RegExp(`^${name}`));
  });
});

it.each([
  ['is asynchronous', async () => create('s')],
  ['returns nothing', () => undefined],
  ['returns something else', () => ({ emit() {} })],
  ['returns the bridge of another session', () => create('t')],
])('a factory that %s is refused, and no bridge is kept', async (_, factory) => {
  await using registry = open();
  const message = "The factory must return the EventBridge of session 's' synchronously";
  expect(() => registry.getOrCreate('s', factory as never)).toThrow(new TypeError(message));
  expect(registry.size).toBe(0);
});

describe('closing a registry', () => {
  it('ends the readers of this process and keeps the sessions', async () => {
    const log = new MemoryEventLog();
    const registry = open({ create: (id: string) => new EventBridge(id, { log, logger: silentLogger }) });
    const bridge = registry.getOrCreate('s');
    await bridge.emit('custom', { n: 1 });
    const reading = readAll(bridge.generateSse());
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await registry.close();
    await registry.close();
    expect(await reading).toHaveLength(1);
    expect([registry.size, vi.getTimerCount()]).toEqual([0, 0]);
    expect((await log.inspect('s'))?.headKind).toBe('event');
    expect(() => registry.getOrCreate('t')).toThrow('closed');
  });

  it('happens at the end of an `await using` block', async () => {
    let bridge: EventBridge;
    {
      await using registry = open();
      bridge = registry.getOrCreate('s');
    }
    await bridge.emit('custom', {});
    expect(await bridge.history()).toEqual([]);
  });

  it('waits for a session that is being removed, and in a second call for the first one', async () => {
    const appending = Promise.withResolvers<void>();
    class SlowLog extends MemoryEventLog {
      override async append(...entry: Parameters<MemoryEventLog['append']>): Promise<void> {
        if (entry[0].kind === 'session_end') await appending.promise;
        return super.append(...entry);
      }
    }
    const log = new SlowLog();
    const registry = open({ create: (id: string) => new EventBridge(id, { log, logger: silentLogger }) });
    await registry.getOrCreate('s').emit('custom', { n: 1 });
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const ends = [
      registry.remove('s').then(note('removed')),
      registry.close().then(note('closed')),
      registry.close().then(note('closed again')),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    appending.resolve();
    await Promise.all(ends);
    expect(order).toEqual(['removed', 'closed', 'closed again']);
    expect((await log.inspect('s'))?.headKind).toBe('session_end');
  });

  it('closes every bridge before it reports one that could not be closed', async () => {
    let isOtherClosed = false;
    class SlowBridge extends EventBridge {
      override async close(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        isOtherClosed = true;
      }
    }
    const registry = open();
    registry.getOrCreate('lost', (id) => new LostBridge(id));
    registry.getOrCreate('slow', (id) => new SlowBridge(id));
    await expect(registry.close()).rejects.toThrow('connection lost');
    expect(isOtherClosed).toBe(true);
  });
});
