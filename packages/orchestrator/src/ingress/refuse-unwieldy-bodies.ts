import { RequestError } from '../errors.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../json-depth.js';
import { isJsonObject } from '../json-object.js';
import { valuesLeft } from '../json-values.js';

/** Checking one value takes about 10 µs and 1 KB if it is invalid; a body of 80 MiB could contain 40 million. */
const maxValues = 250_000;

/** @throws RequestError `INVALID_REQUEST` for a body that is nested too deeply, or consists of too many values */
export function refuseUnwieldyBodies(body: unknown): void {
  if (isTooDeep(body)) throw refusal(`is nested deeper than ${MAX_JSON_DEPTH} levels`, MAX_JSON_DEPTH);
  if (valuesLeft(withoutResult(body), maxValues) >= 0) return;
  throw refusal(`consists of more than ${maxValues} values`, maxValues);
}

/** The result of a call is the caller's own data, whose values are not checked one by one. */
function withoutResult(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['value'])) return body;
  return { ...body, value: { ...body['value'], result: null } };
}

function refusal(problem: string, limit: number): RequestError {
  return new RequestError(`The body ${problem}.`, { code: 'INVALID_REQUEST', details: { limit } });
}
