import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';

const POLICIES = ['skip', 'queue', 'replace'] as const;

/** Options for a fire while earlier ones are still running. */
export interface OverlapOptions {
  /** `skip` skips the new fire, `queue` queues it, `replace` cancels the oldest running one. @default 'skip' */
  policy?: (typeof POLICIES)[number] | undefined;
  /** The maximum number of concurrent fires; 0 means no limit. @default 1 */
  maxOverlap?: number | undefined;
  /** The maximum number of fires queued by `queue`; more are skipped. @default 100 */
  maxQueued?: number | undefined;
}

const OverlapOptionsSchema = z.strictObject({
  policy: z.enum(POLICIES).default('skip'),
  maxOverlap: z.int().min(0).default(1),
  maxQueued: z.int().min(1).max(10_000).default(100),
} satisfies ShapeOf<OverlapOptions>);

/** The policy for a fire while earlier ones are still running, alone or with its limits. */
export type Overlap = (typeof POLICIES)[number] | OverlapOptions;

/** Validated overlap options. */
export type OverlapPolicy = z.output<typeof OverlapOptionsSchema>;

/** Parses overlap options. */
export function parseOverlap(overlap: Overlap): OverlapPolicy {
  return parseOptions(
    OverlapOptionsSchema,
    typeof overlap === 'string' ? { policy: overlap } : overlap,
    'withOverlap()',
  );
}
