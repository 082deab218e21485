import * as z from 'zod';

const moment = z.number();

const ActiveFireSchema = z.strictObject({
  fire_id: z.string(),
  origin: z.enum(['schedule', 'manual']),
  scheduled_at_ms: moment,
  jitter_ms: z.number(),
  coalesced: z.int(),
  /** The running attempt, or the last one; 0 before the first. */
  attempt: z.int(),
  fired_at_ms: moment.nullable(),
  phase: z.enum(['waiting', 'running']),
  /** The job object that holds the fire, and the end of its lease. */
  owner: z.string(),
  lease_until_ms: moment.nullable(),
  /** Why it must stop. */
  cancel_reason: z.string().nullable(),
});
/** A queued or running fire, as every process that shares the store sees it. */
export type ActiveFire = z.infer<typeof ActiveFireSchema>;

export const LedgerSchema = z.strictObject({
  definition: z.string(),
  /** The time when the job first started. */
  anchor_ms: moment,
  /** Every fire scheduled up to this time is decided. */
  cursor_ms: moment,
  /** How many fires actually ran. */
  runs: z.int(),
  active: z.array(ActiveFireSchema),
});
/** The state of a job that is needed to continue it: small, and written as a whole. */
export type Ledger = z.infer<typeof LedgerSchema>;

/** The final statuses of a fire. */
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
/** The outcome of a fire, as stored. */
export type SettledFire = z.infer<typeof SettledFireSchema>;

/** The result of a step: the new ledger, the ended fires, and the fires that this owner must start. */
export interface LedgerStep {
  readonly ledger: Ledger;
  readonly settled: readonly SettledFire[];
  readonly begun: readonly ActiveFire[];
}

/** Creates a step to a ledger that starts no fire. */
export function stepTo(ledger: Ledger, settled: readonly SettledFire[] = []): LedgerStep {
  return { ledger, settled, begun: [] };
}

/** Creates the record of an ended fire. */
export function settle(
  fire: ActiveFire,
  end: Pick<SettledFire, 'status' | 'finished_at_ms'> & Partial<Pick<SettledFire, 'reason' | 'error'>>,
): SettledFire {
  const { fire_id, origin, scheduled_at_ms, fired_at_ms, jitter_ms, attempt, coalesced } = fire;
  const common = { fire_id, origin, scheduled_at_ms, fired_at_ms, jitter_ms, attempt, coalesced };
  return { ...common, reason: null, error: null, ...end };
}

/** Creates the record of a fire that never ran and is in no ledger. */
export function settleWithoutRun(
  fields: Pick<SettledFire, 'fire_id' | 'origin' | 'scheduled_at_ms' | 'finished_at_ms' | 'status'> & {
    reason: string;
  },
): SettledFire {
  return { ...fields, fired_at_ms: null, jitter_ms: 0, attempt: 0, coalesced: 0, error: null };
}
