import type { EventEnvelope } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { Logger } from '../../src/logger.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function open(options: EventBridgeOptions = {}) {
  return new EventBridge('session-1', { logger: silent, ...options });
}

/** Reads until the stream ends or `count` events have arrived. */
async function read(
  frames: AsyncGenerator<string>,
  count = Number.POSITIVE_INFINITY,
): Promise<EventEnvelope[]> {
  const events: EventEnvelope[] = [];
  while (events.length < count) {
    const { value, done } = await frames.next();
    if (done) break;
    if (!value.startsWith(':')) events.push(...decodeFrames(value).map(({ envelope }) => envelope));
  }
  return events;
}

const numbers = (events: EventEnvelope[]) => events.map(({ data }) => data.n ?? data.response);

describe('a turn', () => {
  it('is replayed to a reader without a cursor and ends with its final event', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emitFinal('done');
    expect(bridge.closed).toBe(true);
    expect(numbers(await read(bridge.generateSse()))).toEqual([1, 'done']);
    expect(numbers(await read(bridge.generateSse()))).toEqual([1, 'done']);
    expect(numbers(await bridge.history())).toEqual([1, 'done']);
  });

  it('is delivered live to every reader, in order and once', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 0 });
    const readers = [bridge.generateSse(), bridge.generateSse(), bridge.generateSse()];
    const read3 = Promise.all(readers.map((frames) => read(frames)));
    expect(await bridge.waitForSubscriber({ timeoutMs: 1000 })).toBe(true);
    for (let n = 1; n < 50; n += 1) await bridge.emit('custom', { n });
    await bridge.emitFinal('done');
    for (const events of await read3) {
      expect(numbers(events)).toEqual([...Array.from({ length: 50 }, (_, n) => n), 'done']);
    }
    expect(bridge.subscriberCount).toBe(0);
  });

  it('is followed by the next one for readers that wait with their cursor', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emitFinal('one');
    const [first, last] = await read(bridge.generateSse());
    const waiting = read(bridge.generateSse({ lastEventId: last?.id ?? '' }));
    await bridge.waitForSubscriber({ timeoutMs: 1000 });
    await bridge.reopen();
    await bridge.emit('custom', { n: 2 });
    await bridge.emitFinal('two');
    expect(numbers(await waiting)).toEqual([2, 'two']);
    expect(numbers(await read(bridge.generateSse({ lastEventId: first?.id ?? '' })))).toEqual(['one']);
    expect(numbers(await bridge.history())).toEqual([2, 'two']);
  });
});

describe('a log that never answers', () => {
  it.each(['inspect', 'readAfter'] as const)('%s does not keep a reader from leaving', async (question) => {
    const asked = Promise.withResolvers<void>();
    const log = new MemoryEventLog();
    await open({ log }).emit('custom', { n: 1 });
    // Another process, which has none of the entries in memory.
    const bridge = open({ log });
    const hang = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    Object.assign(log, { [question]: hang });
    const leave = new AbortController();
    const reader = bridge.openReader({ signal: leave.signal });
    const frames = bridge.generateSse();
    const pulled = frames.next();
    await asked.promise;
    leave.abort();
    expect((await reader).isEnded).toBe(true);
    await frames.return();
    expect((await pulled).done).toBe(true);
    expect(bridge.subscriberCount).toBe(0);
  });
});

it('history returns what it has read if the session is removed meanwhile', async () => {
  let reads = 0;
  class LosingLog extends MemoryEventLog {
    override async readAfter(...given: Parameters<MemoryEventLog['readAfter']>) {
      reads += 1;
      if (reads > 2) throw new Error('it is read for ever');
      await this.remove('session-1');
      return super.readAfter(...given);
    }
  }
  const bridge = open({ log: new LosingLog() });
  await bridge.emit('custom', { n: 1 });
  expect(await bridge.history()).toEqual([]);
});
