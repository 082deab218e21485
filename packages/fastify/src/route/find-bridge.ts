import { type EventBridge, SessionLimitError } from '@svc/events';
import type { FastifyRequest } from 'fastify';
import type { MountSettings } from '../mount-options.js';
import type { RefusalCode } from './refusal.js';

/**
 * Returns the bridge of a session, created by the factory if there is one, or undefined if there is no bridge yet. A
 * session that was removed here may be in a log that others share: it gets a bridge that the registry does not hold.
 */
export async function findBridge(
  request: FastifyRequest,
  sessionId: string,
  { registry, factory }: MountSettings,
): Promise<EventBridge | RefusalCode | 'ENDED' | undefined> {
  const known = registry.get(sessionId);
  const wasRemoved = registry.hasEnded(sessionId);
  if (known !== undefined || factory === undefined) return wasRemoved ? 'ENDED' : known;
  const made = await factory(sessionId, request);
  if (made === null || made === undefined) return wasRemoved ? 'ENDED' : 'SESSION_NOT_FOUND';
  if (made.sessionId === sessionId && registry.hasEnded(sessionId)) return made;
  try {
    const held = registry.getOrCreate(sessionId, () => made);
    // Another request created one meanwhile: this one was never used.
    if (held !== made) await made.close({ keepSession: true });
    return held;
  } catch (error) {
    if (error instanceof SessionLimitError) return 'TOO_MANY_SESSIONS';
    throw error;
  }
}
