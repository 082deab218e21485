import { createRequire } from 'node:module';

const manifest: unknown = createRequire(import.meta.url)('../package.json');

/** The version of this package, from its package.json. It says nothing of the event contract's version. */
export const VERSION: string = readVersion(manifest);

function readVersion(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'version' in value) return String(value.version);
  throw new TypeError('package.json of @svc/core has no version');
}
