import { isRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { setOwn } from './set-own.js';

/** Merges the input's descriptor into the rebuilt one. */
type Merge = (built: JsonRecord, input: JsonRecord) => void;

const descriptorMerges = {
  tool: addMissing,
  lifecycle: addMissing,
  assistant: addMissing,
  status: addMissing,
  assignment: addMissing,
  enrichment: addMissing,
  interrupt: addMissing,
  output: addMissing,
  error_info: addMissing,
  chunk: addMissing,
  scope: (built, input) => addMissing(built, input, contradicts(built, input, ['type', 'name', 'id'])),
  participant: (built, input) => addMissing(built, input, contradicts(built, input, ['key', 'name', 'role'])),
} satisfies Record<string, Merge>;

const mergesByKey: ReadonlyMap<string, Merge> = new Map(Object.entries(descriptorMerges));

/**
 * Adds to a built payload every top-level key of the input that it lacks, and to its descriptors every field that they
 * lack. Changes the built payload, never the input.
 */
export function keepExtras(built: JsonRecord, input: JsonRecord): JsonRecord {
  for (const key of Object.keys(input)) {
    const source = input[key];
    if (!Object.hasOwn(built, key)) {
      setOwn(built, key, source);
      continue;
    }
    if (!isRecord(source)) continue;
    const target = built[key];
    if (isRecord(target)) mergesByKey.get(key)?.(target, source);
  }
  return built;
}

function addMissing(target: JsonRecord, source: JsonRecord, except?: readonly string[]): void {
  for (const key of Object.keys(source)) {
    if (!Object.hasOwn(target, key) && !except?.includes(key)) setOwn(target, key, source[key]);
  }
}

/** The names to leave out if the descriptors name different things: a mixture of names would be wrong. */
function contradicts(built: JsonRecord, input: JsonRecord, keys: readonly string[]): readonly string[] {
  const differ = keys.some((key) => built[key] != null && input[key] != null && built[key] !== input[key]);
  return differ ? keys : [];
}
