import type { SettledFire } from './ledger.js';
import type { LedgerChange, ScheduleStore, StoredLedger } from './schedule-store.js';

/** Keeps ledgers in this process: for jobs without a store, and for tests of jobs that restart. */
export class MemoryScheduleStore implements ScheduleStore, AsyncDisposable {
  readonly #ledgers = new Map<string, StoredLedger>();
  readonly #history = new Map<string, SettledFire[]>();
  readonly #maxRecordsPerJob: number;

  /** @internal `maxRecordsPerJob` says how many ended fires are kept for each job. */
  constructor(maxRecordsPerJob = 1_000) {
    this.#maxRecordsPerJob = maxRecordsPerJob;
  }

  async load(jobName: string): Promise<StoredLedger | undefined> {
    return this.#ledgers.get(jobName);
  }

  async save(jobName: string, { expectedVersion, ledger, settled }: LedgerChange): Promise<boolean> {
    if ((this.#ledgers.get(jobName)?.version ?? 0) !== expectedVersion) return false;
    this.#ledgers.set(jobName, { version: expectedVersion + 1, ledger });
    if (settled.length > 0) {
      const kept = [...(this.#history.get(jobName) ?? []), ...settled];
      this.#history.set(jobName, kept.slice(Math.max(0, kept.length - this.#maxRecordsPerJob)));
    }
    return true;
  }

  async history(jobName: string, limit: number): Promise<readonly SettledFire[]> {
    const kept = this.#history.get(jobName) ?? [];
    return kept.slice(Math.max(0, kept.length - limit));
  }

  async close(): Promise<void> {
    // There is nothing to release.
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
