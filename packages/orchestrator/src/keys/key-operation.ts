import { MaivnSDKError } from '@svc/contracts/sdk-error';
import * as z from 'zod';

/**
 * What a key can be limited to. `run`: start, drive, follow and cancel sessions. `read`: list sessions and read them.
 * `memory`: the memory of the project and its organization's policy. `metrics`: the metrics.
 */
export const KEY_OPERATIONS = ['run', 'read', 'memory', 'metrics'] as const;

/** One of {@link KEY_OPERATIONS}. */
export type KeyOperation = (typeof KEY_OPERATIONS)[number];

/** Who may call a route: everybody, or whoever has a key with one of these operations. */
export type Access = 'open' | readonly [KeyOperation, ...KeyOperation[]];

const OperationsSchema = z.array(z.enum(KEY_OPERATIONS)).min(1).optional();

/**
 * The operations a key is made with, each once; nothing for all.
 * @throws MaivnSDKError `CONFIG_INVALID_OPTION` for an unknown name, or none at all
 */
export function readOperations(
  given: readonly KeyOperation[] | undefined,
  project: string,
): readonly KeyOperation[] | undefined {
  const parsed = OperationsSchema.safeParse(given);
  if (parsed.success) return parsed.data && knownOperations(parsed.data);
  const names = KEY_OPERATIONS.join(', ');
  throw new MaivnSDKError(
    `The operations of a key of project '${project}' are ${JSON.stringify(given)}; give a list of some of ${names}, or leave it out for all.`,
    { code: 'CONFIG_INVALID_OPTION', details: { project, operations: [...KEY_OPERATIONS] } },
  );
}

/** The operations among some names. A name that a later version has stored permits nothing here. */
export function knownOperations(names: readonly string[]): readonly KeyOperation[] {
  return KEY_OPERATIONS.filter((operation) => names.includes(operation));
}
