import { readVectors } from './vector.ts';
import type { Vector } from './vector.ts';

/** Reads the recorded cases, with numbers that JSON cannot represent. */
export function readBridgeVectors<Options, Input, Expected>(
  file: string,
): Vector<Options, Input, Expected>[] {
  const vectors = readVectors<Options, Input, Expected>(file);
  return JSON.parse(JSON.stringify(vectors), untagged) as typeof vectors;
}

/** The files tag numbers that JSON cannot represent. */
function untagged(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$type' in value)) return value;
  if (value.$type === 'float' && 'value' in value) return Number(value.value);
  throw new Error(`no rule for tagged inputs of type ${String(value.$type)}`);
}
