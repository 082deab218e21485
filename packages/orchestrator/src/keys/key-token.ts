import { createHash, timingSafeEqual } from 'node:crypto';
import { MaivnSDKError } from '@svc/contracts/sdk-error';

const pattern = /^svc_([a-z0-9]{12})_[A-Za-z0-9]{40,64}$/;

/** The id in a key; undefined when it does not have our form. */
export function idOfKey(key: string): string | undefined {
  return pattern.exec(key)?.[1];
}

/** A key of the form `svc_<id>_<secret>`. */
export function formatKey({ id, secret }: { id: string; secret: string }): string {
  return `svc_${id}_${secret}`;
}

/** Refuses a key that no client can send. @throws MaivnSDKError `CONFIG_INVALID_API_KEY`, without the key */
export function refuseUnsendableKey(key: string, project: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new MaivnSDKError(
    `The API key of project "${project}" must be one line of printable ASCII without spaces.`,
    { code: 'CONFIG_INVALID_API_KEY', details: { project } },
  );
}

/** SHA-256 of a key. Keys are random and long, so a slow hash would add nothing. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares two hashes in constant time. */
export function sameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
