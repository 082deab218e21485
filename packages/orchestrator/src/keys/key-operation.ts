/**
 * The operations that a key can be limited to. `run`: start, drive, follow and cancel sessions. `read`: list and read
 * sessions. `memory`: read and change the project's memory. `administration`: change the organization's memory policy
 * and purge memory. `metrics`: read the metrics.
 */
export const KEY_OPERATIONS = ['run', 'read', 'memory', 'administration', 'metrics'] as const;

/** One of {@link KEY_OPERATIONS}. */
export type KeyOperation = (typeof KEY_OPERATIONS)[number];

/** Who may call a route: anybody, or the owner of a key with one of these operations. */
export type Access = 'open' | readonly [KeyOperation, ...KeyOperation[]];

/** The operations among the given names. A name stored by a later version permits nothing here. */
export function knownOperations(names: readonly string[]): readonly KeyOperation[] {
  return KEY_OPERATIONS.filter((operation) => names.includes(operation));
}
