import { hasFunctions, parseCount, refuseUnknownOptions } from '../../config/options.js';
import { putLatest } from '../../put-latest.js';
import type { CallFailure } from '../execution/describe-failure.js';

/** The stored outcome of a call, without private values, so that the same call does not take effect twice. */
export type RecordedOutcome =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

/** The stored state of a call: begun without a known outcome, or settled. */
export type Receipt =
  | { readonly state: 'begun' }
  | { readonly state: 'settled'; readonly outcome: RecordedOutcome };

/** Information about a call that is about to begin. */
export interface CallIntent {
  readonly toolName: string;
  /** The time of the call, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Stores the calls of writing tools across repeats and, if it writes to disk, across crashes. A call waits at most 30
 * seconds for it.
 */
export interface ReceiptStore {
  /** Returns the receipt of a call, if there is one. */
  find(key: string): Promise<Receipt | undefined>;
  /** Records, before the effect, that a call begins. The record must be stored when this resolves. */
  begin(key: string, intent: CallIntent): Promise<void>;
  /** Records how the call ended. */
  settle(key: string, outcome: RecordedOutcome): Promise<void>;
}

/** Whether a value is a receipt store. */
export function isReceiptStore(value: unknown): value is ReceiptStore {
  return hasFunctions(value, ['find', 'begin', 'settle']);
}

/** Parses how many calls a store keeps. */
export function parseMaxReceipts(maxReceipts: number | undefined, owner: string): number {
  return parseCount(maxReceipts ?? 10_000, 'maxReceipts', owner);
}

/** The maximum total length of the kept outcomes, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The latest receipts, within a number of calls and a total length of their outcomes. */
export class KeptReceipts implements Iterable<readonly [string, Receipt]> {
  readonly #maxReceipts: number;
  readonly #receipts = new Map<string, Receipt>();
  /** The lengths of the outcomes by key, oldest first; also those of receipts that were dropped since. */
  readonly #lengths = new Map<string, number>();
  #totalLength = 0;

  constructor(maxReceipts: number) {
    this.#maxReceipts = maxReceipts;
  }

  get(key: string): Receipt | undefined {
    return this.#receipts.get(key);
  }

  put(key: string, receipt: Receipt): void {
    putLatest(this.#receipts, [key, receipt], this.#maxReceipts);
    if (receipt.state === 'settled') this.#boundOutcomes(key, JSON.stringify(receipt.outcome).length);
  }

  /** Drops the oldest outcomes beyond the total length, for the latest one. */
  #boundOutcomes(latest: string, length: number): void {
    this.#totalLength += length - (this.#lengths.get(latest) ?? 0);
    this.#lengths.delete(latest);
    this.#lengths.set(latest, length);
    for (const [key, keptLength] of this.#lengths) {
      const isKept = this.#receipts.has(key);
      if (key === latest || (isKept && this.#totalLength <= MAX_CHARACTERS)) return;
      this.#lengths.delete(key);
      this.#totalLength -= keptLength;
      // The start of the call stays known, so that it does not take effect twice.
      if (isKept) this.#receipts.set(key, { state: 'begun' });
    }
  }

  [Symbol.iterator](): Iterator<readonly [string, Receipt]> {
    return this.#receipts.entries();
  }
}

/**
 * Keeps receipts in memory, across repeats but not across crashes. The oldest receipts are dropped first; beyond 64 Mi
 * characters in total, the oldest outcomes are dropped, and only the start of such a call remains known.
 */
export function memoryReceiptStore(options?: { maxReceipts?: number | undefined }): ReceiptStore {
  refuseUnknownOptions(options ?? {}, ['maxReceipts'], 'memoryReceiptStore');
  const receipts = new KeptReceipts(parseMaxReceipts(options?.maxReceipts, 'memoryReceiptStore'));
  return {
    find: async (key) => receipts.get(key),
    begin: async (key) => receipts.put(key, { state: 'begun' }),
    settle: async (key, outcome) => receipts.put(key, { state: 'settled', outcome }),
  };
}
