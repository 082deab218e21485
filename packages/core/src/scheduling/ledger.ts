import * as z from 'zod';

const moment = z.number();

const ActiveFireSchema = z.strictObject({
  fire_id: z.string(),
  origin: z.enum(['schedule', 'manual']),
  scheduled_at_ms: moment,
  jitter_ms: z.number(),
  coalesced: z.int(),
  /** The attempt that runs, or the last that ran; 0 before the first. */
  attempt: z.int(),
  fired_at_ms: moment.nullable(),
  phase: z.enum(['waiting', 'running']),
  /** Which job object in which process holds it, and until when it need not be heard of. */
  owner: z.string(),
  lease_until_ms: moment.nullable(),
  /** Why it is to stop. */
  cancel_reason: z.string().nullable(),
});
/** A fire that waits for its turn or runs, as every process on the store sees it. */
export type ActiveFire = z.infer<typeof ActiveFireSchema>;

export const LedgerSchema = z.strictObject({
  definition: z.string(),
  /** When the job first started. */
  anchor_ms: moment,
  /** Every fire scheduled up to here is decided. */
  cursor_ms: moment,
  /** How many fires really ran. */
  runs: z.int(),
  active: z.array(ActiveFireSchema),
});
/** All that must be known of a job to go on with it: small, and written as one. */
export type Ledger = z.infer<typeof LedgerSchema>;

/** How a fire ended. */
export const FIRE_STATUSES = [
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'missed',
  'skipped_misfire',
  'skipped_jitter',
  'skipped_overlap',
] as const;

export const SettledFireSchema = z.strictObject({
  fire_id: z.string(),
  origin: z.enum(['schedule', 'manual']),
  scheduled_at_ms: moment,
  fired_at_ms: moment.nullable(),
  finished_at_ms: moment,
  jitter_ms: z.number(),
  attempt: z.int(),
  coalesced: z.int(),
  status: z.enum(FIRE_STATUSES),
  reason: z.string().nullable(),
  error: z.strictObject({ name: z.string(), code: z.string().nullable(), message: z.string() }).nullable(),
});
/** What became of a fire, as a store keeps it. */
export type SettledFire = z.infer<typeof SettledFireSchema>;

/** What a step makes of a ledger: the new one, what is over, and what this owner has to start. */
export interface LedgerStep {
  readonly ledger: Ledger;
  readonly settled: readonly SettledFire[];
  readonly begun: readonly ActiveFire[];
}

/** A step to a ledger by which nothing begins; to the one that was there already, it changes nothing. */
export function stepTo(ledger: Ledger, settled: readonly SettledFire[] = []): LedgerStep {
  return { ledger, settled, begun: [] };
}

/** The record of a fire that is over. */
export function settle(
  fire: ActiveFire,
  end: Pick<SettledFire, 'status' | 'finished_at_ms'> & Partial<Pick<SettledFire, 'reason' | 'error'>>,
): SettledFire {
  const { fire_id, origin, scheduled_at_ms, fired_at_ms, jitter_ms, attempt, coalesced } = fire;
  const what = { fire_id, origin, scheduled_at_ms, fired_at_ms, jitter_ms, attempt, coalesced };
  return { ...what, reason: null, error: null, ...end };
}

/** The record of a fire that never ran and that no ledger holds. */
export function neverRan(
  what: Pick<SettledFire, 'fire_id' | 'origin' | 'scheduled_at_ms' | 'finished_at_ms' | 'status'> & {
    reason: string;
  },
): SettledFire {
  return { ...what, fired_at_ms: null, jitter_ms: 0, attempt: 0, coalesced: 0, error: null };
}
