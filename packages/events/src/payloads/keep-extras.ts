import { isRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { setOwn } from './set-own.js';

/** How a rebuilt descriptor and the one of the input become one. */
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
 * Adds what a rebuild does not know: every top-level key of the input that the built payload lacks, and every field
 * of its descriptors that the built descriptor lacks. The built payload is changed, the input is not.
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

/** A descriptor that names somebody else lends none of its names: a mixture would name nobody. */
function contradicts(built: JsonRecord, input: JsonRecord, keys: readonly string[]): readonly string[] {
  const differ = keys.some((key) => built[key] != null && input[key] != null && built[key] !== input[key]);
  return differ ? keys : [];
}
