import type * as Vitest from 'vitest';

let failure: unknown;
const loaded = await import('vitest').catch((error: unknown) => {
  failure = error;
});

/**
 * Vitest, for the suite of logs. What else this entry has is for tests of any runner, so it loads without it.
 *
 * @throws Error when it is not installed.
 */
export function vitest(): typeof Vitest {
  if (loaded !== undefined) return loaded;
  const message = 'describeEventLog needs Vitest: install vitest as a development dependency';
  throw new Error(message, { cause: failure });
}
