import type { PlanUsage } from '../plan-step.js';

const keys = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'reasoning_tokens',
] as const satisfies readonly (keyof PlanUsage)[];

/** The sum of two usages; a count that neither has stays absent. */
export function addUsage(a: PlanUsage, b: PlanUsage): PlanUsage {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const values = [a[key], b[key]].filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[key, values.reduce((sum, value) => sum + value, 0)]];
    }),
  );
}
