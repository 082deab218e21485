import * as z from 'zod';
import { parseOptions } from './errors.js';

const POLICIES = ['skip', 'queue', 'replace'] as const;

const OverlapOptionsSchema = z.strictObject({
  /** `skip` gives the new fire up, `queue` lets it wait, `replace` cancels the oldest that runs. @default 'skip' */
  policy: z.enum(POLICIES).default('skip'),
  /** How many fires of the job run at once; 0 means any number. @default 1 */
  maxOverlap: z.int().min(0).default(1),
  /** How many fires wait under `queue`; more are skipped. @default 100 */
  maxQueued: z.int().min(1).max(10_000).default(100),
});

/** What happens to a fire while earlier ones still run. */
export type OverlapOptions = z.input<typeof OverlapOptionsSchema>;

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
