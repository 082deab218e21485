import * as z from 'zod';

/** The status of a run; `completed`, `failed`, `interrupted` and `cancelled` end it. */
export const RunStatusSchema = z.enum([
  'pending',
  'running',
  'waiting_for_tools',
  'completed',
  'failed',
  'interrupted',
  'cancelled',
]);
/** The status of a run. */
export type RunStatus = z.infer<typeof RunStatusSchema>;

const tokens = z.preprocess(
  (count: number | null | undefined) => count ?? undefined,
  z.number().int().min(0).default(0),
);

/** Tokens used by a run. */
export const TokenUsageSchema = z.looseObject({
  total_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_creation_tokens: tokens,
  reasoning_tokens: tokens,
});
/** Tokens used by a run. */
export type TokenUsage = z.infer<typeof TokenUsageSchema>;

/** Why a run failed or was cancelled. */
export const ErrorInfoSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).nullish(),
});
/** Why a run failed or was cancelled. */
export type ErrorInfo = z.infer<typeof ErrorInfoSchema>;

/** The payload of `final`, the one event that ends a run. */
export const FinalPayloadSchema = z.looseObject({
  session_id: z.string().nullish(),
  assistant_id: z.string().nullish(),
  thread_id: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  messages: z.array(z.unknown()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  result: z.unknown().optional(),
  responses: z.array(z.string()).nullish(),
  response: z.string().nullish(),
  error: z.string().nullish(),
  error_info: ErrorInfoSchema.nullish(),
  status: RunStatusSchema.or(z.string()).nullish(),
  stop_reason: z.string().nullish(),
  token_usage: TokenUsageSchema.nullish(),
});
/** The payload of `final`. */
export type FinalPayload = z.infer<typeof FinalPayloadSchema>;
