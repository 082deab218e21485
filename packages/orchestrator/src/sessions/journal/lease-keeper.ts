import type { RunRecord, RunStore } from '@svc/contracts/orchestrator';
import { repeat, type Clock } from '../../clock.js';
import { storeSilent } from '../../store/errors.js';
import type { FailedAttempts } from './failed-attempts.js';
import { fromStore, StoreFailure } from './store-failure.js';

/** What a `LeaseKeeper` needs. */
export interface LeaseKeeperOptions {
  readonly store: RunStore;
  readonly clock: Clock;
  /** How this process identifies itself for the store's leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly failed: FailedAttempts;
  /** Whether a run works in this process, or is about to. */
  readonly isHere: (sessionId: string) => boolean;
  /** Continues a run that this process has claimed. */
  readonly resume: (record: RunRecord) => Promise<void>;
  /** Receives failures that nobody awaits. */
  readonly onError: (error: unknown, sessionId?: string) => void;
}

const pageSize = 200;

/** Renews this process's leases, and takes over runs that nobody works on. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #stopTicks: (() => void) | undefined;
  #recovering: Promise<void> | undefined;
  #isDraining = false;
  #closed = false;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** Takes over unfinished runs, now and at every tick. */
  async open(): Promise<void> {
    const { clock, leaseMs, onError } = this.#options;
    await this.#renew();
    if (this.#closed) return;
    this.#stopTicks = repeat({ clock, intervalMs: leaseMs / 3, onError }, () => this.#tick());
    try {
      await this.#recover();
    } catch (error) {
      this.#stopTicks();
      throw error;
    }
  }

  /** Stops taking over other processes' runs; this process may still continue its own. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Stops taking over runs. Resolves once a takeover in progress has ended, even if it failed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTicks?.();
    // The caller that started it receives its failure.
    await this.#recovering?.catch(() => {});
  }

  /** Reports a store that is silent for as long as a lease lasts: other processes may take the runs over. */
  async #renew(): Promise<void> {
    const { store, owner, leaseMs, clock, onError } = this.#options;
    const cancel = clock.after(leaseMs, () => onError(storeSilent(leaseMs)));
    try {
      await store.renewLeases({ owner, leaseMs, nowMs: clock.nowMs() });
    } finally {
      cancel();
    }
  }

  async #tick(): Promise<void> {
    await this.#renew();
    // Not awaited: taking over thousands of runs takes longer than a lease, and the leases held here must be renewed
    // meanwhile.
    void this.#recover().catch((error: unknown) => this.#options.onError(error));
  }

  /** One recovery at a time; later callers return at once. */
  async #recover(): Promise<void> {
    if (this.#recovering) return;
    this.#recovering = this.#takeOverAll();
    try {
      await this.#recovering;
    } finally {
      this.#recovering = undefined;
    }
  }

  async #takeOverAll(): Promise<void> {
    const { store, owner, clock, failed, isHere } = this.#options;
    const isDraining = this.#isDraining;
    // While draining, claim only our own runs: at time -1 nobody else's lease has expired, not even a released one.
    const claimableBy = { owner, nowMs: isDraining ? -1 : clock.nowMs() };
    let before: { createdAtMs: number; sessionId: string } | undefined;
    while (!this.#closed) {
      const found = await store.listRuns({
        ended: false,
        claimableBy,
        limit: pageSize,
        ...(before ? { before } : {}),
      });
      for (const { sessionId } of found) {
        if (this.#closed || this.#isDraining !== isDraining) return;
        if (isHere(sessionId) || failed.isWaiting(sessionId, clock.nowMs())) continue;
        await this.#takeOver(sessionId);
      }
      before = found.at(-1);
      if (found.length < pageSize) return;
    }
  }

  /** A run that cannot be read must not hold up the others. It is left as it is, to be repaired by hand. */
  async #takeOver(sessionId: string): Promise<void> {
    const { store, owner, leaseMs, clock, failed, resume, onError } = this.#options;
    try {
      const record = await fromStore(store.claimRun(sessionId, { owner, leaseMs, nowMs: clock.nowMs() }));
      if (record) await resume(record);
    } catch (error) {
      if (error instanceof StoreFailure) throw error.cause;
      failed.putAside(sessionId);
      onError(error, sessionId);
    }
  }
}
