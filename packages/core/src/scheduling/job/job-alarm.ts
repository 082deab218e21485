import { raceAbort } from '../../deadline.js';
import type { ClockTimer } from '../clock/clock.js';
import type { JobPlan } from './job-plan.js';
import type { ActiveFire } from '../store/ledger.js';
import { renewalMs } from '../fire/take-over.js';
import { TimerHeap } from '../clock/timer-heap.js';

/** How long to wait after a store failed, in milliseconds; doubled each time up to the maximum. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** The parts of a job's plan that its alarm uses. */
type AlarmPlan = Pick<JobPlan<unknown>, 'clock' | 'keepsAlive' | 'leaseMs' | 'logger'>;

/** Wakes a job when something is due: a fire, a lease, or room for a queued fire. */
export class JobAlarm {
  readonly #plan: AlarmPlan;
  readonly #owner: string;
  readonly #wake: () => void;
  #set: { readonly atMs: number; readonly timer: ClockTimer } | undefined;
  #failures = 0;

  constructor(plan: AlarmPlan, owner: string, wake: () => void) {
    this.#plan = plan;
    this.#owner = owner;
    this.#wake = wake;
  }

  /** Sets the alarm for whatever is due first. */
  set(active: readonly ActiveFire[], nextDueMs: number | undefined): void {
    const moments = [...this.#listLeases(active), ...(nextDueMs === undefined ? [] : [nextDueMs])];
    if (moments.length === 0) this.cancel();
    else this.#setAt(Math.min(...moments));
  }

  cancel(): void {
    this.#set?.timer.cancel();
    this.#set = undefined;
  }

  /** Backs off after a failure, longer each time. */
  backOff(): void {
    this.#failures += 1;
    this.#setAt(this.#plan.clock.now() + backOffMs(this.#failures));
  }

  /** Writes, and retries while the store fails. Resolves to undefined when it gives up; rejects when the signal aborts. */
  async retry<Written>(
    write: () => Promise<Written>,
    until: { mayGiveUp?: (attempts: number) => boolean; signal?: AbortSignal },
  ): Promise<Written | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        this.#plan.logger.error('A step of a fire could not be written; retrying.', {
          attempt,
          error,
        });
      }
      if (until.mayGiveUp?.(attempt)) return undefined;
      await this.sleep(backOffMs(attempt), until.signal);
    }
  }

  /** Resets the backoff after a success. */
  resetBackOff(): void {
    this.#failures = 0;
  }

  /** Waits; rejects with the signal's reason when it aborts. */
  async sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#startTimer(this.#plan.clock.now() + durationMs, resolve);
    try {
      await raceAbort(promise, signal);
    } finally {
      timer.cancel();
    }
  }

  #setAt(atMs: number): void {
    if (this.#set?.atMs === atMs) return;
    this.cancel();
    const ring = () => {
      this.#set = undefined;
      this.#wake();
    };
    this.#set = { atMs, timer: this.#startTimer(atMs, ring) };
  }

  #startTimer(atMs: number, callback: () => void): ClockTimer {
    const { clock, keepsAlive } = this.#plan;
    return TimerHeap.of(clock).set(atMs, callback, { keepsAlive });
  }

  #listLeases(active: readonly ActiveFire[]): number[] {
    const { leaseMs } = this.#plan;
    if (leaseMs === undefined) return [];
    // Renewing the lease of a queued fire also detects that another process has made room for it.
    return active.map(({ owner, lease_until_ms: untilMs }) => {
      const endMs = untilMs ?? Number.POSITIVE_INFINITY;
      return owner === this.#owner ? renewalMs(endMs, leaseMs) : endMs + 1;
    });
  }
}

/** Returns how long to wait after a number of failures, in milliseconds. */
function backOffMs(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
}
