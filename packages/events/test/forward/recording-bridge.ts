import type { ForwardingBridge } from '../../src/forward/forward.js';
import { rebuildPayload } from '../../src/payloads.js';

/** A bridge that rebuilds what it is given, as a bridge does first, and keeps it. */
export function recordingBridge() {
  const events: { type: string; data: Record<string, unknown> }[] = [];
  const bridge: ForwardingBridge = {
    emit(type, payload) {
      events.push({ type, data: rebuildPayload(type, payload) });
      return Promise.resolve();
    },
  };
  return { bridge, events };
}
