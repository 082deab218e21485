import { EventBridge } from '@svc/events';
import type { EventBridgeOptions } from '@svc/events';
// @ts-expect-error the peers' harness has no types
import { envelope, frameOf, makePool } from '../peers/lib/events.mjs';

/** An event as the peers' harness makes it. */
export interface SampleEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export type Size = 'small' | 'large';

/** Sixty-four events, with payloads of about 300 B or 2 KB. */
export const poolOf = (size: Size): readonly SampleEvent[] => makePool(size);

/** The bare minimum: the envelope as JSON, framed, as bytes. */
export const bareFrame = (seq: number, event: SampleEvent): Buffer =>
  Buffer.from(frameOf(envelope(String(seq), event)));

/** Twenty values of thirty-two characters, none of which stands in the events. */
export const values = Array.from({ length: 20 }, (_, at) => ({
  name: `key_${at}`,
  value: `v${at}`.padEnd(32, `${String.fromCharCode(97 + at)}q7`),
}));

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A bridge whose session is open. */
export async function openBridge(options: EventBridgeOptions = {}, sessionId = 's'): Promise<EventBridge> {
  const bridge = new EventBridge(sessionId, { logger: silent, ...options });
  await bridge.emit('first', {});
  return bridge;
}

export const of = <Item>(items: readonly Item[], index: number): Item => items[index & 63] as Item;

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
