import type { ForwardingBridge } from '../../src/forward/forward.js';
import { rebuildPayload } from '../../src/payloads/rebuild-payload.js';

/** Creates a bridge that records the payloads it receives, rebuilt as by a real bridge. */
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
