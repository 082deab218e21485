import type { AgentRun } from '@svc/core';
import { forwardNormalizedStream, normalizeStream, type EventBridge } from '@svc/events';

/**
 * Forwards a run's events to its bridge until the run ends. A run that cannot be read to its end emits an `error` event,
 * so that no page waits forever.
 */
export async function followRun(run: AgentRun, bridge: EventBridge): Promise<void> {
  try {
    await forwardNormalizedStream(normalizeStream(run), { bridge });
  } catch (error) {
    await bridge.emitError({
      error: error instanceof Error ? error.message : 'The run could not be followed.',
    });
  }
}
