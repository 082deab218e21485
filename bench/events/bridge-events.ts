import { EventBridge } from '@svc/events';
import type { EventBridgeOptions } from '@svc/events';
// @ts-expect-error the peers' harness has no types
import { envelope, frameOf, makePool } from '../peers/lib/events.mjs';

/** An event of the peers' harness. */
export interface SampleEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export type Size = 'small' | 'large';

/** Returns 64 events with payloads of about 300 B or 2 KB. */
export const poolOf = (size: Size): readonly SampleEvent[] => makePool(size);

/** The bare minimum: the envelope as JSON, framed, as bytes. */
export const bareFrame = (seq: number, event: SampleEvent): Buffer =>
  Buffer.from(frameOf(envelope(String(seq), event)));

/** Twenty values of 32 characters, none of which occurs in the events. */
export const values = Array.from({ length: 20 }, (_, at) => ({
  name: `key_${at}`,
  value: `v${at}`.padEnd(32, `${String.fromCharCode(97 + at)}q7`),
}));

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates a bridge and opens its session. */
export async function openBridge(options: EventBridgeOptions = {}, sessionId = 's'): Promise<EventBridge> {
  const bridge = new EventBridge(sessionId, { logger: silent, ...options });
  await bridge.emit('first', {});
  return bridge;
}

export const of = <Item>(items: readonly Item[], index: number): Item => items[index & 63] as Item;

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
