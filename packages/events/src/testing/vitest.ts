import type * as Vitest from 'vitest';

let failure: unknown;
const loaded = await import('vitest').catch((error: unknown) => {
  failure = error;
});

/**
 * Loads Vitest for the suite of logs. The rest of this entry works with any test runner, so it loads without Vitest.
 *
 * @throws Error if it is not installed.
 */
export function vitest(): typeof Vitest {
  if (loaded !== undefined) return loaded;
  const message = 'describeEventLog needs Vitest: install vitest as a development dependency';
  throw new Error(message, { cause: failure });
}
