import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import type { Logger } from '../../src/logger.js';
import { silentLogger } from '../silent-logger.js';

/** Resolves after one turn of the event loop. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Returns the number or response of each event, or the reason of a gap. */
export const numbers = (events: readonly { type: string; data: Record<string, unknown> }[]) =>
  events.map(({ type, data }) =>
    type === 'stream_gap' ? `gap: ${String(data.reason)}` : (data.n ?? data.response),
  );

/** Creates a bridge and records the messages it logs. */
export function open(options: EventBridgeOptions = {}) {
  const logged: string[] = [];
  const record = (level: string) => (message: string) => void logged.push(`${level}: ${message}`);
  const logger: Logger = { ...silentLogger, info: record('info'), warn: record('warn') };
  return { bridge: new EventBridge('s', { logger, schemaValidation: 'off', ...options }), logged };
}

/** Emits an event for each number. */
export async function emit(bridge: EventBridge, ...values: number[]) {
  for (const n of values) await bridge.emit('custom', { n });
}

/** Reads everything that a reader has available now. */
export function take(reader: EventReader) {
  let text = '';
  for (let bytes = reader.read(); bytes; bytes = reader.read()) text += Buffer.from(bytes).toString();
  return numbers(decodeFrames(text).map(({ envelope }) => envelope));
}
