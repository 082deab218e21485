import { withDeadline } from '../deadline.js';
import { ToolError } from '../tools/errors.js';
import type { ReadValue } from '../privacy/private-data-map.js';
import type { PrivateDataInjection } from '../tools/injection.js';
import { parseWith } from '../tools/input-schema.js';
import { dependencyTimeout } from './errors.js';

/** What a private argument is read from, and for whom. */
export interface PrivateSource {
  readonly toolName: string;
  read(dataKey: string): ReadValue | undefined;
  /** Takes note of a value that is about to reach a tool and must not leave with what the tool says. */
  keepPrivate(name: string, value: unknown): void;
  /** How long the value's schema may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The private value of an argument as its tool declared it; one that is missing or of another kind fails the call. */
export async function readPrivateArgument(
  { dataKey, schema }: PrivateDataInjection,
  { toolName, read, keepPrivate, timeoutMs, signal }: PrivateSource,
): Promise<unknown> {
  const found = read(dataKey);
  if (!found) {
    throw new ToolError(
      `'${toolName}' needs the private value '${dataKey}', which privateData does not have.`,
      {
        code: 'DEPENDENCY_PRIVATE_DATA_MISSING',
        details: { data_key: dataKey },
      },
    );
  }
  // It may have been set after the run began, and a schema may make another value of it.
  keepPrivate(dataKey, found.value);
  const createError = (waitedMs: number) => dependencyTimeout(toolName, dataKey, waitedMs);
  const check = async (value: unknown) =>
    schema
      ? withDeadline({ timeoutMs, signal, createError }, async () => parseWith(schema, value))
      : isText(value);
  const asGiven = await check(found.value);
  const parsed = asGiven.ok || found.text === undefined ? asGiven : await check(found.text);
  if (parsed.ok) {
    keepPrivate(dataKey, parsed.value);
    return parsed.value;
  }
  throw new ToolError(
    `The private value '${dataKey}' is not what '${toolName}' declared; without a schema it must be a text.`,
    { code: 'DEPENDENCY_PRIVATE_DATA_INVALID', details: { data_key: dataKey } },
  );
}

function isText(value: unknown): { ok: true; value: string } | { ok: false } {
  return typeof value === 'string' ? { ok: true, value } : { ok: false };
}
