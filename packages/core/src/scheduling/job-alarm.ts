import type { Logger } from '../logging/logger.js';
import type { Clock } from './clock.js';
import type { Ledger } from './ledger.js';
import { renewalMs } from './take-over.js';
import { TimerHeap, type Alarm } from './timer-heap.js';

/** How long a store that fails is left alone, in milliseconds; doubled each time up to the longest. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** How often the end of a fire is written anew before its lease is left to run out. */
const MOST_WRITES = 8;

/** Wakes a job when something of it is due: a fire, a lease, room for a fire that waits. */
export class JobAlarm {
  readonly #clock: Clock;
  readonly #heap: TimerHeap;
  readonly #keepsAlive: boolean;
  readonly #leaseMs: number | undefined;
  readonly #logger: Logger;
  readonly #owner: string;
  readonly #wake: () => void;
  #set: { readonly atMs: number; readonly alarm: Alarm } | undefined;
  #failures = 0;

  constructor(
    parts: { clock: Clock; keepsAlive: boolean; leaseMs: number | undefined; logger: Logger },
    owner: string,
    wake: () => void,
  ) {
    this.#clock = parts.clock;
    this.#heap = TimerHeap.of(parts.clock);
    this.#keepsAlive = parts.keepsAlive;
    this.#leaseMs = parts.leaseMs;
    this.#logger = parts.logger;
    this.#owner = owner;
    this.#wake = wake;
  }

  /** Sets the alarm for the first of what comes. */
  set(ledger: Ledger, nextDueMs: number | undefined): void {
    const moments = [...this.#listLeases(ledger), ...(nextDueMs === undefined ? [] : [nextDueMs])];
    if (moments.length === 0) this.cancel();
    else this.#setAt(Math.min(...moments));
  }

  cancel(): void {
    this.#set?.alarm.cancel();
    this.#set = undefined;
  }

  /** After a failure: wakes later, and later each time. */
  backOff(): void {
    this.#failures += 1;
    this.#setAt(this.#clock.now() + this.backOffMs(this.#failures));
  }

  /** How long to wait after so many failures, in milliseconds. */
  backOffMs(failures: number): number {
    return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  }

  /** Writes, and again when the store fails; undefined when it never worked. */
  async insist<Written>(write: () => Promise<Written>): Promise<Written | undefined> {
    for (let attempt = 1; attempt <= MOST_WRITES; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        this.#logger.error('The end of a fire could not be written; it is tried again.', { attempt, error });
        await this.sleep(this.backOffMs(attempt), undefined);
      }
    }
    return undefined;
  }

  /** What failed works again. */
  calm(): void {
    this.#failures = 0;
  }

  /** Waits; rejects with the signal's reason when it aborts. */
  async sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const alarm = this.#heap.set(this.#clock.now() + durationMs, resolve, { keepsAlive: this.#keepsAlive });
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      alarm.cancel();
    }
  }

  #setAt(atMs: number): void {
    if (this.#set?.atMs === atMs) return;
    this.cancel();
    const ring = () => {
      this.#set = undefined;
      this.#wake();
    };
    this.#set = { atMs, alarm: this.#heap.set(atMs, ring, { keepsAlive: this.#keepsAlive }) };
  }

  #listLeases(ledger: Ledger): number[] {
    const leaseMs = this.#leaseMs;
    if (leaseMs === undefined || ledger.active.length === 0) return [];
    // Renewing the lease of a fire that waits also finds out when another process has made room for it.
    return ledger.active.map(({ owner, lease_until_ms: untilMs }) => {
      const endMs = untilMs ?? Number.POSITIVE_INFINITY;
      return owner === this.#owner ? renewalMs(endMs, leaseMs) : endMs + 1;
    });
  }
}
