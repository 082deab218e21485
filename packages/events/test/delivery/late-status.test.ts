import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A remote log: its answer to `inspect` may arrive after newer entries do. */
class DistantLog extends MemoryEventLog {
  answering: Promise<void> | undefined;

  override async inspect(sessionId: string) {
    const status = await super.inspect(sessionId);
    await this.answering;
    return status;
  }
}

function read(reader: EventReader): unknown[] {
  const events: unknown[] = [];
  for (let bytes = reader.read(); bytes; bytes = reader.read()) {
    for (const { envelope } of decodeFrames(Buffer.from(bytes).toString()))
      events.push(envelope.data['n'] ?? envelope.type);
  }
  return events;
}

const bridges: [string, EventBridgeOptions][] = [
  ['internal', {}],
  ['frontend_safe', { audience: 'frontend_safe' }],
  ['drop_oldest', { queueMaxsize: 1, backpressure: 'drop_oldest' }],
  ['drop_newest', { queueMaxsize: 1, backpressure: 'drop_newest' }],
];

describe.each(bridges)('a reader opened while another reads (%s)', (_, options) => {
  async function begun() {
    const log = new DistantLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger, ...options });
    const other = await bridge.openReader();
    await bridge.emit('custom', { n: 1 });
    await turn();
    read(other);
    const answer = Promise.withResolvers<void>();
    log.answering = answer.promise;
    return { bridge, log, other, cursor: other.lastEventId, answer: answer.resolve };
  }

  it.each(['the newest event', 'nothing'])(
    'gets entries delivered before the log answered, having seen %s',
    async (seen) => {
      const { bridge, cursor, answer } = await begun();
      const opening = bridge.openReader({ lastEventId: seen === 'nothing' ? undefined : cursor });
      await bridge.emit('custom', { n: 2 });
      await turn();
      await bridge.emitFinal('done');
      await turn();
      answer();
      const reader = await opening;
      const events = read(reader);
      expect([events, reader.isEnded]).toEqual([[...(seen === 'nothing' ? [1] : []), 2, 'final'], true]);
      await bridge.close();
    },
  );

  it.each(['the newest event', 'nothing'])(
    'gets entries from before another reader began to follow, having seen %s',
    async (seen) => {
      const { bridge, log, other, cursor, answer } = await begun();
      other.close();
      const opening = bridge.openReader({ lastEventId: seen === 'nothing' ? undefined : cursor });
      await bridge.emit('custom', { n: 2 });
      await bridge.emitFinal('done');
      log.answering = undefined;
      await bridge.openReader();
      answer();
      const reader = await opening;
      const events = read(reader);
      expect([events, reader.isEnded]).toEqual([[...(seen === 'nothing' ? [1] : []), 2, 'final'], true]);
      await bridge.close();
    },
  );
});
