import { RequestError } from '../errors.js';

/** Far deeper than what people nest, and far from where writing JSON overflows the stack. */
const maxDepth = 1000;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @throws RequestError `INVALID_REQUEST` for a body that is nested deeper than 1000 levels */
export function refuseDeepBodies(body: unknown): void {
  let level = [body].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) {
      throw new RequestError(`The body is nested deeper than ${maxDepth} levels.`, {
        code: 'INVALID_REQUEST',
        details: { limit: maxDepth },
      });
    }
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
}
