import { readVectors } from './vector.ts';
import type { Vector } from './vector.ts';

/** The recorded cases, with the product's name as this project spells it: one rule for error texts is about it. */
export function readBridgeVectors<Options, Input, Expected>(
  file: string,
): Vector<Options, Input, Expected>[] {
  const vectors = readVectors<Options, Input, Expected>(file);
  return JSON.parse(JSON.stringify(vectors).replaceAll('maivn_', 'svc_'), untagged) as typeof vectors;
}

/** Numbers that JSON cannot carry stand in the files with a tag. */
function untagged(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$type' in value)) return value;
  if (value.$type === 'float' && 'value' in value) return Number(value.value);
  throw new Error(`no rule for tagged inputs of type ${String(value.$type)}`);
}
