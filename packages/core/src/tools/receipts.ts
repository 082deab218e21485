import { hasFunctions, invalidOption, refuseUnknownOptions } from '../config/options.js';
import { putLatest } from '../put-latest.js';
import { boundingText } from './bounding-text.js';
import type { CallFailure } from './describe-failure.js';

/** What is kept of a call's end, so that the same call does not take effect twice. Private values are not in it. */
export type RecordedOutcome =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

/** What is known of a call: begun without an end, or ended. */
export type Receipt =
  | { readonly state: 'begun' }
  | { readonly state: 'settled'; readonly outcome: RecordedOutcome };

/** What a call is about to do. */
export interface CallIntent {
  readonly toolName: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Remembers calls of writing tools across repeats, and, if it writes to disk, across crashes. */
export interface ReceiptStore {
  /** What is known of a call. */
  find(key: string): Promise<Receipt | undefined>;
  /** Records, before the effect, that a call begins. It must be on record when this resolves. */
  begin(key: string, intent: CallIntent): Promise<void>;
  /** Records how the call ended. */
  settle(key: string, outcome: RecordedOutcome): Promise<void>;
}

/** Whether this can keep receipts. */
export function isReceiptStore(value: unknown): value is ReceiptStore {
  return hasFunctions(value, ['find', 'begin', 'settle']);
}

/** How many calls a store remembers: a whole number of at least 1. */
export function parseMaxReceipts(maxReceipts: number | undefined, owner: string): number {
  const count = maxReceipts ?? 10_000;
  if (Number.isInteger(count) && count >= 1) return count;
  throw invalidOption(owner, `takes a whole number of at least 1 as maxReceipts, not ${String(count)}`, [
    'maxReceipts',
  ]);
}

/**
 * Receipts in memory: they hold across repeats, not across crashes. The oldest ones go first, and of more than 64 Mi
 * characters the oldest outcomes: such a call is known to have begun, and not how it ended.
 */
export function memoryReceiptStore(given?: { maxReceipts?: number | undefined }): ReceiptStore {
  const options = given ?? {};
  refuseUnknownOptions(options, ['maxReceipts'], 'memoryReceiptStore');
  const maxReceipts = parseMaxReceipts(options.maxReceipts, 'memoryReceiptStore');
  const receipts = new Map<string, Receipt>();
  const put = (key: string, receipt: Receipt) => putLatest(receipts, [key, receipt], maxReceipts);
  const bound = boundingText(
    (key) => receipts.has(key),
    // That the call began stays known, so that it does not take effect twice.
    (key) => receipts.set(key, { state: 'begun' }),
  );
  return {
    find: async (key) => receipts.get(key),
    begin: async (key) => put(key, { state: 'begun' }),
    async settle(key, outcome) {
      put(key, { state: 'settled', outcome });
      bound(key, JSON.stringify(outcome).length);
    },
  };
}
