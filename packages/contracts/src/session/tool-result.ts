import * as z from 'zod';

/** Why a tool call failed. */
export const ToolErrorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean().nullish(),
  details: z.record(z.string(), z.unknown()).nullish(),
});
/** Why a tool call failed. */
export type ToolErrorRecord = z.infer<typeof ToolErrorSchema>;

/** A call that returned. */
export const ToolResultOkSchema = z.looseObject({
  tool_event_id: z.string().min(1),
  status: z.literal('ok'),
  result: z.unknown().optional(),
});

/** A call that failed. */
export const ToolResultErrorSchema = z.looseObject({
  tool_event_id: z.string().min(1),
  status: z.literal('error'),
  error: ToolErrorSchema,
});

/** The result of an original client: a string starting with `error:` or an object with an `error` key is a failure. */
export const ToolResultPlainSchema = z.looseObject({
  tool_event_id: z.string().min(1),
  status: z.undefined().optional(),
  result: z.unknown().optional(),
});

/** An answer of an original client to `interrupt_request`, keyed by the event's id. */
export const UserInputValueSchema = z.record(
  z.string(),
  z.looseObject({ arg_name: z.string().nullish(), value: z.string() }),
);

/** What can be posted to a session's resume URL. */
export const ResumeValueSchema = z.union([ToolResultOkSchema, ToolResultErrorSchema, ToolResultPlainSchema]);
/** What can be posted to a session's resume URL. */
export type ResumeValue = z.infer<typeof ResumeValueSchema>;

/** The body of `POST {resume_url}`. */
export const ResumeRequestSchema = z.looseObject({
  value: z.union([ResumeValueSchema, UserInputValueSchema]),
});
/** The body of `POST {resume_url}`. */
export type ResumeRequest = z.infer<typeof ResumeRequestSchema>;

/**
 * The response to `POST {resume_url}`. A result that is not accepted changes nothing: `duplicate` (the call already has
 * a result), `late` (the call was abandoned or the run has ended), `unknown` (the session made no such call).
 */
export const ResumeResponseSchema = z.looseObject({
  accepted: z.boolean(),
  reason: z.enum(['duplicate', 'late', 'unknown']).or(z.string()).optional(),
});
/** The response to `POST {resume_url}`. */
export type ResumeResponse = z.infer<typeof ResumeResponseSchema>;
