import { BridgeRegistry, EventBridge, type EventBridgeOptions } from '@svc/events';

/** The bridges of every app in this process that brings no registry of its own. */
export const defaultRegistry = new BridgeRegistry({ create: createSafe });

/**
 * The bridge of a session, made with these options if there is none. It is for browsers unless they say otherwise.
 *
 * @example
 * await getEventBridge(sessionId).emitFinal('It is 4 degrees.');
 */
export function getEventBridge(sessionId: string, options: EventBridgeOptions = {}): EventBridge {
  return defaultRegistry.getOrCreate(sessionId, () => createSafe(sessionId, options));
}

/** Ends a session and forgets its bridge; nothing happens if there is none. */
export async function removeEventBridge(sessionId: string): Promise<void> {
  await defaultRegistry.remove(sessionId);
}

function createSafe(sessionId: string, options: EventBridgeOptions = {}): EventBridge {
  return new EventBridge(sessionId, { ...options, audience: options?.audience ?? 'frontend_safe' });
}
