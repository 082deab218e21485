import { isSdkError } from '@svc/contracts/sdk-error';
import { cutText } from '../cut-text.js';
import { ScheduleError } from './errors.js';
import type { ActiveFire, FIRE_STATUSES, SettledFire } from './ledger.js';

/**
 * What became of a fire. `interrupted`: its process died or lost its lease, so what it did is not known. `missed`: an
 * `at` that had passed before the job first started. `skipped_…`: a policy gave it up before it ran.
 */
export type RunStatus = 'running' | (typeof FIRE_STATUSES)[number];

/** One fire of a job. */
export interface RunRecord<Result = unknown> {
  readonly fireId: string;
  readonly jobName: string;
  /** Whether the schedule or `trigger()` asked for it. */
  readonly origin: 'schedule' | 'manual';
  /** When the schedule says, before jitter. */
  readonly scheduledAt: Date;
  /** When its last attempt began after waiting; absent when it never ran. */
  readonly firedAt?: Date;
  /** When it was over; absent while it runs. */
  readonly finishedAt?: Date;
  /** By how much it was shifted, in milliseconds. */
  readonly jitterMs: number;
  /** The last attempt, counted from 1; 0 when it never ran. */
  readonly attempt: number;
  /** How many late fires besides its own this run stands for. */
  readonly coalesced: number;
  readonly status: RunStatus;
  /** Why it was skipped, cancelled or interrupted. */
  readonly reason?: string;
  /** What the work gave. It is not in a store, so a record from before a restart has none. */
  readonly result?: Result;
  /** What the work threw last; from before a restart a {@link ScheduleError} with its message. */
  readonly error?: unknown;
}

/** How many fires of a job came to what, since this job object started. */
export interface JobCounters {
  /** Fires that really ran. */
  readonly runs: number;
  /** Fires whose work ended well. */
  readonly succeeded: number;
  /** Fires whose last attempt threw. */
  readonly failed: number;
  /** Fires that were ended: by a stop, or to make room for a newer one. */
  readonly cancelled: number;
  /** Fires whose process died or lost its lease. */
  readonly interrupted: number;
  /** Moments of `at` that had passed before the job started. */
  readonly missed: number;
  /** Fires given up for being late. */
  readonly skippedMisfire: number;
  /** Fires that jitter moved past the next one. */
  readonly skippedJitter: number;
  /** Fires given up because earlier ones ran. */
  readonly skippedOverlap: number;
  /** Late fires that other runs stood for. */
  readonly coalesced: number;
  /** Callbacks that threw. */
  readonly callbackErrors: number;
}

/** The record of a fire that has begun. */
export function describeRunning(jobName: string, fire: ActiveFire): RunRecord<never> {
  return Object.freeze({ ...describe(jobName, fire), status: 'running' as const });
}

/** The record of a fire that is over, with what only this process knows of it. */
export function describeSettled<Result>(
  jobName: string,
  fire: SettledFire,
  outcome: { result?: Result; error?: unknown } = {},
): RunRecord<Result> {
  const { reason, status, finished_at_ms: finishedAtMs } = fire;
  const error = outcome.error ?? restoreError(fire);
  return Object.freeze({
    ...describe(jobName, fire),
    finishedAt: new Date(finishedAtMs),
    status,
    ...(reason === null ? {} : { reason }),
    ...('result' in outcome ? { result: outcome.result } : {}),
    ...(error === undefined ? {} : { error }),
  });
}

function describe(jobName: string, fire: ActiveFire | SettledFire): Omit<RunRecord<never>, 'status'> {
  return {
    fireId: fire.fire_id,
    jobName,
    origin: fire.origin,
    scheduledAt: new Date(fire.scheduled_at_ms),
    ...(fire.fired_at_ms === null ? {} : { firedAt: new Date(fire.fired_at_ms) }),
    jitterMs: fire.jitter_ms,
    attempt: fire.attempt,
    coalesced: fire.coalesced,
  };
}

/** The longest message of an error that a store keeps, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** What a store keeps of an error: no stack, no cause, no details. */
export function describeError(error: unknown): NonNullable<SettledFire['error']> {
  const code = isSdkError(error) ? error.code : null;
  if (!(error instanceof Error))
    return { name: 'Error', code, message: 'Something was thrown that is no Error.' };
  // Whoever made it may have put anything there.
  const [name, message] = [String(error.name), String(error.message)];
  return { name, code, message: cutText(message, MAX_MESSAGE_LENGTH) };
}

function restoreError({ error }: SettledFire): ScheduleError | undefined {
  if (!error) return undefined;
  return new ScheduleError(error.message, {
    code: error.code ?? 'SCHEDULE_RUN_FAILED',
    details: { name: error.name },
  });
}
