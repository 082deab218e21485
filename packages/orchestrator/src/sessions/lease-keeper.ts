import type { RunRecord, RunStore } from '@svc/contracts/orchestrator';
import { repeat, type Clock } from '../clock.js';
import type { FailedAttempts } from './failed-attempts.js';
import { fromStore, StoreFailure } from './store-failure.js';

/** What keeping leases takes. */
export interface LeaseKeeperOptions {
  readonly store: RunStore;
  readonly clock: Clock;
  /** Who this process is for the store's leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly failed: FailedAttempts;
  /** Whether a run works in this process, or is about to. */
  readonly isHere: (sessionId: string) => boolean;
  /** Goes on with a run that this process has claimed. */
  readonly resume: (record: RunRecord) => Promise<void>;
  /** Told of failures nobody waits for. */
  readonly onError: (error: unknown, sessionId: string) => void;
}

const pageSize = 200;

/** Keeps the leases of this process, and takes up the runs that nobody works on. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #stopTicks: (() => void) | undefined;
  #recovering: Promise<void> | undefined;
  #isDraining = false;
  #closed = false;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** Takes up what is unfinished, and does so from now on. */
  async open(): Promise<void> {
    const { clock, leaseMs, onError } = this.#options;
    await this.#renew();
    if (this.#closed) return;
    const ticks = { clock, intervalMs: leaseMs / 3, onError: (error: unknown) => onError(error, '') };
    this.#stopTicks = repeat(ticks, () => this.#tick());
    try {
      await this.#recover();
    } catch (error) {
      this.#stopTicks();
      throw error;
    }
  }

  /** Takes up no runs of others any more; this process may still go on with its own. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Takes up nothing more. Resolves when what is being taken up is decided, however that ends. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTicks?.();
    // Whoever began it is told of its failure.
    await this.#recovering?.catch(() => {});
  }

  async #renew(): Promise<void> {
    const { store, owner, leaseMs, clock } = this.#options;
    await store.renewLeases({ owner, leaseMs, nowMs: clock.nowMs() });
  }

  async #tick(): Promise<void> {
    const { onError } = this.#options;
    await this.#renew();
    // Taking up thousands of runs takes longer than a lease, and those that are here must not be lost meanwhile.
    void this.#recover().catch((error: unknown) => onError(error, ''));
  }

  /** One at a time; whoever comes meanwhile has nothing to do. */
  async #recover(): Promise<void> {
    if (this.#recovering) return;
    this.#recovering = this.#takeUpAll();
    try {
      await this.#recovering;
    } finally {
      this.#recovering = undefined;
    }
  }

  async #takeUpAll(): Promise<void> {
    const { store, owner, clock, failed, isHere } = this.#options;
    const isDraining = this.#isDraining;
    // At that time no lease of another one is over, not even one that it gave back.
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
        await this.#takeUp(sessionId);
      }
      before = found.at(-1);
      if (found.length < pageSize) return;
    }
  }

  /** One run that cannot be read keeps no other waiting: it stays as it is, for whoever mends it. */
  async #takeUp(sessionId: string): Promise<void> {
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
