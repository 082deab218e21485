import type { Ledger, SettledFire } from './ledger.js';

/** A ledger with its version. */
export interface StoredLedger {
  /** The version, which increases with every change; the first is 1. */
  readonly version: number;
  readonly ledger: Ledger;
}

/** A change of a job's ledger, with the fires that it ends. */
export interface LedgerChange {
  /** The version on which the change is based; 0 for an unknown job. */
  readonly expectedVersion: number;
  readonly ledger: Ledger;
  readonly settled: readonly SettledFire[];
}

/**
 * Stores the jobs' ledgers and the outcomes of their fires. Everything else, such as leases and policies, is up to the
 * jobs; a store only has to write each change as a whole, and only if the version still matches.
 */
export interface ScheduleStore {
  /** Returns the ledger of a job; undefined for an unknown job. */
  load(jobName: string): Promise<StoredLedger | undefined>;
  /**
   * Writes a change. Resolves to false, and writes nothing, if the ledger has another version. It may reject although it
   * has written, such as when a connection is lost: jobs look at what is stored.
   */
  save(jobName: string, change: LedgerChange): Promise<boolean>;
  /** Returns the outcomes of the last fires, oldest first. */
  history(jobName: string, limit: number): Promise<readonly SettledFire[]>;
  /** Releases the resources of the store. Closing twice must be safe. */
  close(): Promise<void>;
}
