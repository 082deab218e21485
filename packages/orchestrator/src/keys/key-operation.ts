/**
 * What a key can be limited to. `run`: start, drive, follow and cancel sessions. `read`: list sessions and read them.
 * `memory`: what the project remembers. `administration`: the memory policy of the organization, and purging.
 * `metrics`: the metrics.
 */
export const KEY_OPERATIONS = ['run', 'read', 'memory', 'administration', 'metrics'] as const;

/** One of {@link KEY_OPERATIONS}. */
export type KeyOperation = (typeof KEY_OPERATIONS)[number];

/** Who may call a route: everybody, or whoever has a key with one of these operations. */
export type Access = 'open' | readonly [KeyOperation, ...KeyOperation[]];

/** The operations among some names. A name that a later version has stored permits nothing here. */
export function knownOperations(names: readonly string[]): readonly KeyOperation[] {
  return KEY_OPERATIONS.filter((operation) => names.includes(operation));
}
