import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns a digest of the client that a session or a call belongs to. Ids of different kinds are never the same owner. */
export function ownerOf(kind: 'authorization' | 'client' | 'stdio', id: string): string {
  return createHash('sha256').update(`${kind}:${id}`).digest('hex');
}

/** Whether two owners are the same; takes as long if they are not. */
export function isSameOwner(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
