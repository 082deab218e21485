import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';

const POLICIES = ['skip', 'fire_now', 'coalesce'] as const;

/** Options for fires that could not run on time. */
export interface MisfireOptions {
  /** `skip` skips late fires, `fire_now` runs each of them, `coalesce` runs once for all of them. @default 'coalesce' */
  policy?: (typeof POLICIES)[number] | undefined;
  /** How late a fire may be before it counts as a misfire, in milliseconds. @default 30000 */
  graceMs?: number | undefined;
  /** The maximum number of late fires that `fire_now` runs; older ones are skipped. @default 100 */
  maxCatchUp?: number | undefined;
}

const MisfireOptionsSchema = z.strictObject({
  policy: z.enum(POLICIES).default('coalesce'),
  graceMs: z.number().min(0).default(30_000),
  maxCatchUp: z.int().min(1).max(1_000).default(100),
} satisfies ShapeOf<MisfireOptions>);

/** The policy for fires that could not run on time, alone or with its limits. */
export type Misfire = (typeof POLICIES)[number] | MisfireOptions;

/** Validated misfire options. */
export type MisfirePolicy = z.output<typeof MisfireOptionsSchema>;

/** Parses misfire options. */
export function parseMisfire(misfire: Misfire): MisfirePolicy {
  return parseOptions(
    MisfireOptionsSchema,
    typeof misfire === 'string' ? { policy: misfire } : misfire,
    'withMisfire()',
  );
}

/** A due or late fire. */
export interface DueFire {
  readonly scheduledAtMs: number;
  readonly jitterMs: number;
  /** The time when it should have started. */
  readonly dueAtMs: number;
  /** Whether jitter moved it past the next fire, so that it is skipped. */
  readonly isPastNext: boolean;
}

/** The decision about a due fire. */
export interface FireDecision {
  readonly fire: DueFire;
  readonly verdict: 'run' | 'skipped_misfire' | 'skipped_jitter';
  /** Why it does not run. */
  readonly reason?: string;
  /** How many other fires this run replaces. */
  readonly coalesced: number;
  /** Whether it is one of several late fires to run, so that it is queued where the overlap policy would skip it. */
  readonly catchesUp?: boolean;
}

/** Decides about every due fire, oldest first. */
export function judgeDueFires(due: readonly DueFire[], nowMs: number, policy: MisfirePolicy): FireDecision[] {
  const runnable = due.filter(({ isPastNext }) => !isPastNext);
  const late = runnable.filter(({ dueAtMs }) => nowMs - dueAtMs > policy.graceMs);
  const chosen = CHOOSERS[policy.policy](runnable, late, policy);
  const catchesUp = policy.policy === 'fire_now' && late.length > 0;
  return due.flatMap((fire): FireDecision[] => {
    if (fire.isPastNext) {
      const reason = `shifted by ${fire.jitterMs} ms, past the next fire`;
      return [{ fire, verdict: 'skipped_jitter', reason, coalesced: 0 }];
    }
    const coalesced = chosen.get(fire);
    if (coalesced !== undefined)
      return [{ fire, verdict: 'run', coalesced, ...(catchesUp ? { catchesUp } : {}) }];
    if (policy.policy === 'coalesce') return [];
    return [{ fire, verdict: 'skipped_misfire', reason: `late by ${nowMs - fire.dueAtMs} ms`, coalesced: 0 }];
  });
}

/** Chooses the fires to run, each with the number of others that it replaces. */
type Chooser = (
  runnable: readonly DueFire[],
  late: readonly DueFire[],
  policy: MisfirePolicy,
) => Map<DueFire, number>;

const runEach = (fires: readonly DueFire[]) => new Map(fires.map((fire) => [fire, 0]));

const CHOOSERS = {
  skip(runnable, late) {
    const skipped = new Set(late);
    return runEach(runnable.filter((fire) => !skipped.has(fire)));
  },
  fire_now(runnable, late, { maxCatchUp }) {
    const skipped = new Set(late.slice(0, Math.max(0, late.length - maxCatchUp)));
    return runEach(runnable.filter((fire) => !skipped.has(fire)));
  },
  coalesce(runnable, late) {
    const last = runnable.at(-1);
    return late.length === 0 || !last ? runEach(runnable) : new Map([[last, runnable.length - 1]]);
  },
} satisfies Record<(typeof POLICIES)[number], Chooser>;
