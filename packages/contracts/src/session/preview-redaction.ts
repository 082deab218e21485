import * as z from 'zod';
import { RedactedMessageSchema } from './message.js';
import { KnownPiiValueSchema, PiiWhitelistSchema } from './private-data.js';

/** The body of `POST /preview-redaction`: a dry run without side effects. */
export const PreviewRedactionRequestSchema = z.looseObject({
  message: RedactedMessageSchema,
  private_data: z.record(z.string(), z.unknown()).nullish(),
  known_pii_values: z.array(KnownPiiValueSchema).nullish(),
  pii_whitelist: PiiWhitelistSchema.nullish(),
});
/** The body of `POST /preview-redaction`. */
export type PreviewRedactionRequest = z.infer<typeof PreviewRedactionRequestSchema>;

/** The outcome that redaction would have. */
export const PreviewRedactionResponseSchema = z.looseObject({
  message: RedactedMessageSchema,
  inserted_keys: z.array(z.string()).default([]),
  added_private_data: z.record(z.string(), z.unknown()).default({}),
  merged_private_data: z.record(z.string(), z.unknown()).default({}),
  redacted_message_count: z.number().int().default(0),
  redacted_value_count: z.number().int().default(0),
  matched_known_pii_values: z.array(z.string()).default([]),
  unmatched_known_pii_values: z.array(z.string()).default([]),
});
/** The outcome that redaction would have. */
export type PreviewRedactionResponse = z.infer<typeof PreviewRedactionResponseSchema>;
