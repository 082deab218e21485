import { isSdkError } from '@svc/contracts/sdk-error';
import { cutText } from '../../cut-text.js';
import { isError } from '../../is-error.js';
import { messageOf, UNREADABLE } from '../../message-of.js';
import { ScheduleError } from '../errors.js';
import type { ActiveFire, FIRE_STATUSES, SettledFire } from '../store/ledger.js';

/**
 * The status of a fire. `interrupted`: its process died or lost its lease, so its effects are unknown. `missed`: an `at`
 * that had passed before the job first started. `skipped_…`: a policy skipped it before it ran.
 */
export type RunStatus = 'running' | (typeof FIRE_STATUSES)[number];

/** The record of one fire of a job. */
export interface RunRecord<Result = unknown> {
  readonly fireId: string;
  readonly jobName: string;
  /** Whether the schedule or `trigger()` started it. */
  readonly origin: 'schedule' | 'manual';
  /** The scheduled time, before jitter. */
  readonly scheduledAt: Date;
  /** The time when it started to run, before any retries; absent if it never ran. */
  readonly firedAt?: Date;
  /** The time when it ended; absent while it is running. */
  readonly finishedAt?: Date;
  /** The jitter, in milliseconds. */
  readonly jitterMs: number;
  /** The number of the last attempt, from 1; 0 if it never ran. */
  readonly attempt: number;
  /** How many other late fires this run replaces. */
  readonly coalesced: number;
  readonly status: RunStatus;
  /** The reason why it was skipped, cancelled or interrupted. */
  readonly reason?: string;
  /** The result of the work. It is not stored, so a record from before a restart has none. */
  readonly result?: Result;
  /** The last error of the work; in a record from before a restart, a {@link ScheduleError} with its message. */
  readonly error?: unknown;
}

/** The number of a job's fires by outcome, since this job object started. */
export interface JobCounters {
  /** Fires that actually ran. */
  readonly runs: number;
  /** Fires whose work succeeded. */
  readonly succeeded: number;
  /** Fires whose last attempt threw. */
  readonly failed: number;
  /** Fires that were cancelled, by a stop or to make room for a newer one. */
  readonly cancelled: number;
  /** Fires whose process died or lost its lease. */
  readonly interrupted: number;
  /** Moments of `at` that had passed before the job started. */
  readonly missed: number;
  /** Fires skipped because they were late. */
  readonly skippedMisfire: number;
  /** Fires skipped because jitter moved them past the next one. */
  readonly skippedJitter: number;
  /** Fires skipped because earlier ones were still running. */
  readonly skippedOverlap: number;
  /** Late fires that other runs replaced. */
  readonly coalesced: number;
  /** Callbacks that threw. */
  readonly callbackErrors: number;
}

/** Creates the record of a running fire. */
export function describeRunning(jobName: string, fire: ActiveFire): RunRecord<never> {
  return Object.freeze({ ...describe(jobName, fire), status: 'running' as const });
}

/** Creates the record of an ended fire, with the outcome that only this process knows. */
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

/** The longest stored error message, in characters. */
const MAX_MESSAGE_LENGTH = 500;

type StoredError = NonNullable<SettledFire['error']>;

/** Returns the stored form of whatever the work threw: without stack, cause and details. Never throws. */
export function describeError(error: unknown): StoredError {
  try {
    return describeReadable(error);
  } catch {
    // A field may be a getter that throws, and a proxy may refuse to be read.
    return { name: 'Error', code: null, message: UNREADABLE };
  }
}

function describeReadable(error: unknown): StoredError {
  const code = isSdkError(error) && typeof error.code === 'string' ? error.code : null;
  if (!isError(error))
    return { name: 'Error', code, message: 'The work threw something other than an Error.' };
  return { name: String(error.name), code, message: cutText(messageOf(error), MAX_MESSAGE_LENGTH) };
}

function restoreError({ error }: SettledFire): ScheduleError | undefined {
  if (!error) return undefined;
  return new ScheduleError(error.message, {
    code: error.code ?? 'SCHEDULE_RUN_FAILED',
    details: { name: error.name },
  });
}
