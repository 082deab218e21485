import { BridgeRegistry, EventBridge, type EventBridgeOptions } from '@svc/events';

/** The registry of every app in this process that passes none of its own. */
export const defaultRegistry = new BridgeRegistry({ create: createSafeBridge });

/**
 * Returns the bridge of a session in the default registry, and creates it with these options if there is none. Its
 * `audience` defaults to `frontend_safe`.
 *
 * @throws RangeError or TypeError naming the invalid option.
 * @throws TypeError if there is no such bridge, and the session id is blank or the registry is closed.
 * @throws SessionLimitError if there are too many sessions and all have readers or an open turn.
 *
 * @example
 * await getEventBridge(sessionId).emitFinal('It is 4 degrees.');
 */
export function getEventBridge(sessionId: string, options: EventBridgeOptions = {}): EventBridge {
  return defaultRegistry.getOrCreate(sessionId, () => createSafeBridge(sessionId, options));
}

/** Ends a session and removes its bridge from the default registry. Does nothing if there is none. */
export async function removeEventBridge(sessionId: string): Promise<void> {
  await defaultRegistry.remove(sessionId);
}

function createSafeBridge(sessionId: string, options: EventBridgeOptions = {}): EventBridge {
  // Inherits the other options, which the bridge reads and checks. What is no object has none.
  const audience = { value: options?.audience ?? 'frontend_safe', enumerable: true };
  return new EventBridge(
    sessionId,
    typeof options === 'object' ? Object.create(options, { audience }) : options,
  );
}
