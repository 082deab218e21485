import * as z from 'zod';
import { isJson } from '../is-json.js';
import type { Receipt, RecordedOutcome } from './receipts.js';

/** Data that JSON has a form for. `z.json()` walks it by itself, which takes long and ends where it is very deep. */
const JsonData = z.unknown().refine(isJson);

const FailureSchema = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.exactOptional(z.boolean()),
  details: z.exactOptional(z.record(z.string(), JsonData)),
});

/** How a call ended, as a store keeps it. */
export const RecordedOutcomeSchema: z.ZodType<RecordedOutcome> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), json: JsonData }),
  z.object({ ok: z.literal(false), failure: FailureSchema }),
]);

const ReceiptSchema: z.ZodType<Receipt> = z.discriminatedUnion('state', [
  z.object({ state: z.literal('begun') }),
  z.object({ state: z.literal('settled'), outcome: RecordedOutcomeSchema }),
]);

/** What a store, which may be the caller's own, has found; `undefined` if it cannot be read. */
export function parseReceipt(found: unknown): Receipt | undefined {
  return ReceiptSchema.safeParse(found).data;
}
