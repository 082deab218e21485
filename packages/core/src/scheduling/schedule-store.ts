import type { Ledger, SettledFire } from './ledger.js';

/** A ledger with the version it was read at. */
export interface StoredLedger {
  /** Grows with every change; the first is 1. */
  readonly version: number;
  readonly ledger: Ledger;
}

/** A change of a job's ledger, together with what is over by it. */
export interface LedgerChange {
  /** The version the change was made on; 0 when the job was not known. */
  readonly expectedVersion: number;
  readonly ledger: Ledger;
  readonly settled: readonly SettledFire[];
}

/**
 * Keeps the jobs' ledgers and what became of their fires. Everything else, such as leases and policies, is decided by
 * the jobs; a store only has to write a change whole, and only on the version it was made on.
 */
export interface ScheduleStore {
  /** The ledger of a job; undefined when the store does not know it. */
  load(jobName: string): Promise<StoredLedger | undefined>;
  /** Writes a change; false, and nothing written, when somebody else changed the ledger in between. */
  save(jobName: string, change: LedgerChange): Promise<boolean>;
  /** What became of the last fires, oldest first. */
  history(jobName: string, limit: number): Promise<readonly SettledFire[]>;
  /** Releases what the store holds. Closing twice is fine. */
  close(): Promise<void>;
}
