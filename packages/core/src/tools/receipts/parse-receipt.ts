import * as z from 'zod';
import { isJson } from '../../is-json.js';
import type { Receipt, RecordedOutcome } from './receipts.js';

/** JSON data. `z.json()` traverses it recursively, which is slow and overflows the stack for deep data. */
const JsonData = z.unknown().refine(isJson);

const FailureSchema = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.exactOptional(z.boolean()),
  details: z.exactOptional(z.record(z.string(), JsonData)),
});

/** The outcome of a call, as stored. */
export const RecordedOutcomeSchema: z.ZodType<RecordedOutcome> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), json: JsonData }),
  z.object({ ok: z.literal(false), failure: FailureSchema }),
]);

const ReceiptSchema: z.ZodType<Receipt> = z.discriminatedUnion('state', [
  z.object({ state: z.literal('begun') }),
  z.object({ state: z.literal('settled'), outcome: RecordedOutcomeSchema }),
]);

/** Parses a receipt from a store, which may be the caller's own; `undefined` if it is invalid. */
export function parseReceipt(found: unknown): Receipt | undefined {
  return ReceiptSchema.safeParse(found).data;
}
