import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import type { Logger } from '../../src/logger.js';
import { silentLogger } from '../silent-logger.js';

/** Lets everything go on that waits for nothing but the event loop. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The numbers of events, and what else tells one from another. */
export const numbers = (events: readonly { type: string; data: Record<string, unknown> }[]) =>
  events.map(({ type, data }) =>
    type === 'stream_gap' ? `gap: ${String(data.reason)}` : (data.n ?? data.response),
  );

/** A bridge, and what it says in its log. */
export function open(options: EventBridgeOptions = {}) {
  const said: string[] = [];
  const say = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
  const logger: Logger = { ...silentLogger, info: say('info'), warn: say('warn') };
  return { bridge: new EventBridge('s', { logger, schemaValidation: 'off', ...options }), said };
}

/** Emits an event for each number. */
export async function emit(bridge: EventBridge, ...values: number[]) {
  for (const n of values) await bridge.emit('custom', { n });
}

/** All that a reader has at hand now. */
export function take(reader: EventReader) {
  let text = '';
  for (let bytes = reader.read(); bytes; bytes = reader.read()) text += Buffer.from(bytes).toString();
  return numbers(decodeFrames(text).map(({ envelope }) => envelope));
}
