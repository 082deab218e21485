import { createHash } from 'node:crypto';

/** Returns a digest of a client's credentials, to tell whether two requests come from the same client. */
export function credentialOf(headers?: Headers): Buffer {
  return createHash('sha256')
    .update(headers?.get('authorization') ?? '')
    .digest();
}
