import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseOptions } from './errors.js';

const POLICIES = ['skip', 'queue', 'replace'] as const;

/** What happens to a fire while earlier ones still run. */
export interface OverlapOptions {
  /** `skip` gives the new fire up, `queue` lets it wait, `replace` cancels the oldest that runs. @default 'skip' */
  policy?: (typeof POLICIES)[number] | undefined;
  /** How many fires of the job run at once; 0 means any number. @default 1 */
  maxOverlap?: number | undefined;
  /** How many fires wait under `queue`; more are skipped. @default 100 */
  maxQueued?: number | undefined;
}

const OverlapOptionsSchema = z.strictObject({
  policy: z.enum(POLICIES).default('skip'),
  maxOverlap: z.int().min(0).default(1),
  maxQueued: z.int().min(1).max(10_000).default(100),
} satisfies ShapeOf<OverlapOptions>);

/** What happens to a fire while earlier ones still run: the policy alone, or with its limits. */
export type Overlap = (typeof POLICIES)[number] | OverlapOptions;

/** What happens to a fire while earlier ones still run, checked. */
export type OverlapPolicy = z.output<typeof OverlapOptionsSchema>;

/** Reads the overlap options. */
export function parseOverlap(given: Overlap): OverlapPolicy {
  return parseOptions(
    OverlapOptionsSchema,
    typeof given === 'string' ? { policy: given } : given,
    'withOverlap()',
  );
}
