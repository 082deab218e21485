import { RequestError } from '../errors.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../json-depth.js';

/** @throws RequestError `INVALID_REQUEST` for a body that is nested deeper than 1000 levels */
export function refuseDeepBodies(body: unknown): void {
  if (!isTooDeep(body)) return;
  throw new RequestError(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`, {
    code: 'INVALID_REQUEST',
    details: { limit: MAX_JSON_DEPTH },
  });
}
