import { isNativeError } from 'node:util/types';

/**
 * Whether a value is an error, also one of another realm: of code that `node:vm` ran, or of Node.js itself under some test
 * runners.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value);
}
