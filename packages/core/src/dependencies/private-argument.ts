import { withDeadline } from '../deadline.js';
import { ToolError } from '../tools/errors.js';
import type { ReadValue } from '../privacy/private-data-map.js';
import type { PrivateDataInjection } from '../tools/references/injection.js';
import { parseWith } from '../tools/declaration/input-schema.js';
import { dependencyTimeout } from './errors.js';

/** The source of a private argument, and the tool that reads it. */
export interface PrivateSource {
  readonly toolName: string;
  read(dataKey: string): ReadValue | undefined;
  /** Registers a value that is about to reach a tool and must not leave with the tool's output. */
  keepPrivate(name: string, value: unknown): void;
  /** The time limit of the value's schema, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Returns the private value of an argument as its tool declared it; a missing or invalid one fails the call. */
export async function readPrivateArgument(
  { dataKey, schema }: PrivateDataInjection,
  { toolName, read, keepPrivate, timeoutMs, signal }: PrivateSource,
): Promise<unknown> {
  const found = read(dataKey);
  if (!found) {
    throw new ToolError(`'${toolName}' needs the private value '${dataKey}', which is not in privateData.`, {
      code: 'DEPENDENCY_PRIVATE_DATA_MISSING',
      details: { data_key: dataKey },
    });
  }
  // It may have been set after the run began, and a schema may transform it.
  keepPrivate(dataKey, found.value);
  const createError = (waitedMs: number) => dependencyTimeout(toolName, dataKey, waitedMs);
  const check = async (value: unknown) =>
    schema
      ? withDeadline({ timeoutMs, signal, createError }, async () => parseWith(schema, value))
      : parseString(value);
  const first = await check(found.value);
  const parsed = first.ok || found.text === undefined ? first : await check(found.text);
  if (parsed.ok) {
    keepPrivate(dataKey, parsed.value);
    return parsed.value;
  }
  throw new ToolError(
    `The private value '${dataKey}' does not match what '${toolName}' declared; without a schema, it must be a string.`,
    { code: 'DEPENDENCY_PRIVATE_DATA_INVALID', details: { data_key: dataKey } },
  );
}

function parseString(value: unknown): { ok: true; value: string } | { ok: false } {
  return typeof value === 'string' ? { ok: true, value } : { ok: false };
}
