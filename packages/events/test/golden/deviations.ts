import { isDeepStrictEqual } from 'node:util';

/** The path of a recorded value from which svc deviates, and svc's value; `undefined` means the field is absent. */
export interface Deviation {
  path: string;
  ours: unknown;
}

/** Applies the deviations of one case to a recorded value. Throws if a path does not exist or a value does not deviate. */
export function applyDeviations(expected: unknown, deviations: readonly Deviation[]): unknown {
  const copy = structuredClone(expected);
  for (const { path, ours } of deviations) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((value, key) => fieldsOf(value, path)[key], copy);
    const fields = fieldsOf(parent, path);
    if (isDeepStrictEqual(fields[last], ours)) throw new Error(`ours is the recorded value: ${path}`);
    if (ours === undefined) delete fields[last];
    else fields[last] = ours;
  }
  return copy;
}

function fieldsOf(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new Error(`no such path in the recorded value: ${path}`);
  return value as Record<string, unknown>;
}

/**
 * Adds the specification's `tool.tool_id` and `assignment.assignment_id` to the descriptors of a recorded payload; the
 * original only writes `id`.
 */
export function withSpecifiedIds(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const copy: Record<string, unknown> = { ...payload };
  for (const [descriptor, alias] of [
    ['tool', 'tool_id'],
    ['assignment', 'assignment_id'],
  ] as const) {
    const nested = copy[descriptor];
    if (typeof nested === 'object' && nested !== null && 'id' in nested && !(alias in nested)) {
      copy[descriptor] = { ...nested, [alias]: nested.id };
    }
  }
  return copy;
}
