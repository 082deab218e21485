import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { BridgeRegistry } from '../../src/bridge/registry.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import type { Logger } from '../../src/logger.js';
import { nextTurn, numbers, take } from './numbered-events.js';

const raise = (error: Error) => {
  throw error;
};
const kinds: [string, (error: Error) => void][] = [
  ['throws', raise],
  ['rejects', async (error) => raise(error)],
];

/** A logger that always fails, and the process warnings about it. */
function failingLogger(fail: (error: Error) => void): { logger: Logger; warnings: string[] } {
  const name = `Error-${randomUUID()}`;
  const warnings: string[] = [];
  const note = ({ message }: Error) => {
    if (message.includes(name)) warnings.push(message);
  };
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const log = () => fail(Object.assign(new Error('canary'), { name }));
  return { logger: { debug: log, info: log, warn: log, error: log }, warnings };
}

/** A log whose trims fail, each of which is logged. */
class UntrimmedLog extends MemoryEventLog {
  override async trim(): Promise<void> {
    throw new Error('cannot trim');
  }
}

describe.each(kinds)('with a logger that %s', (_, fail) => {
  it('a bridge stores every event, and the process is warned once', async () => {
    const { logger, warnings } = failingLogger(fail);
    await using bridge = new EventBridge('s', { logger, log: new UntrimmedLog(), maxHistory: 50 });
    await bridge.emit('tool_event', {});
    for (let n = 1; n <= 100; n += 1) await bridge.emit('custom', { n });
    await bridge.emitFinal('done');
    await bridge.emit('late', {});
    expect(numbers(await bridge.history()).slice(0, 2)).toEqual([52, 53]);
    expect(bridge.headSeq).toBe(102);
    await nextTurn();
    expect(warnings).toEqual([expect.stringContaining('log entries are missing')]);
    expect(warnings.join('')).not.toContain('canary');
  });

  it('readers get what they would get otherwise', async () => {
    const { logger } = failingLogger(fail);
    const backpressure = 'drop_newest';
    await using bridge = new EventBridge('s', { logger, queueMaxsize: 1, backpressure });
    const [slow, fast] = [await bridge.openReader(), await bridge.openReader({ lastEventId: 'unknown' })];
    const seen: unknown[] = [];
    for (let n = 1; n <= 3; n += 1) {
      await bridge.emit('custom', { n });
      await nextTurn();
      seen.push(...take(fast));
    }
    expect(seen).toEqual(['gap: unknown', 1, 2, 3]);
    expect(take(slow)).toEqual([1, 'gap: dropped']);
    expect([slow.isEnded, fast.isEnded]).toEqual([false, false]);
  });

  it('a registry releases idle bridges', async () => {
    const { logger } = failingLogger(fail);
    const create = (id: string) => new EventBridge(id, { logger });
    await using registry = new BridgeRegistry({ logger, create, maxSessions: 1 });
    await registry.getOrCreate('a').emitFinal('done');
    expect(registry.getOrCreate('b').sessionId).toBe('b');
  });
});
