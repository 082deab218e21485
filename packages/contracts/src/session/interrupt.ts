import * as z from 'zod';
import { InterruptInputTypeSchema } from './tool-spec.js';

/**
 * The payload of `interrupt_required`. An answer is bound to `args_digest` (SHA-256 over the tool and its arguments)
 * and is accepted once, before `expires_at`.
 */
export const InterruptRequiredPayloadSchema = z.looseObject({
  checkpoint_id: z.string().min(1),
  data_key: z.string(),
  prompt: z.string(),
  arg_name: z.string().nullish(),
  tool_name: z.string().nullish(),
  tool_id: z.string().nullish(),
  input_type: InterruptInputTypeSchema.or(z.string()).nullish(),
  choices: z.array(z.string()).nullish(),
  interrupt_id: z.string().nullish(),
  assignment_id: z.string().nullish(),
  assignment_index: z.number().nullish(),
  interrupt_number: z.number().nullish(),
  total_interrupts: z.number().nullish(),
  timestamp: z.string().nullish(),
  args_digest: z.string().nullish(),
  expires_at: z.string().nullish(),
});
/** The payload of `interrupt_required`. */
export type InterruptRequiredPayload = z.infer<typeof InterruptRequiredPayloadSchema>;

/** The payload of the older `interrupt_request`, answered on the resume URL. */
export const InterruptRequestPayloadSchema = z.looseObject({
  id: z.string().min(1),
  value: z.looseObject({
    tool_name: z.string().nullish(),
    arg_name: z.string(),
    prompt: z.preprocess((prompt: string | null | undefined) => prompt ?? undefined, z.string().default('')),
  }),
});
/** The payload of the older `interrupt_request`. */
export type InterruptRequestPayload = z.infer<typeof InterruptRequestPayloadSchema>;

/** The body of `POST /api/v1/checkpoints/{checkpoint_id}/resume`. `args_digest`, if present, must match the checkpoint's. */
export const CheckpointResumeRequestSchema = z.looseObject({
  interrupt_data: z.record(z.string(), z.unknown()),
  args_digest: z.string().nullish(),
});
/** The body of `POST /api/v1/checkpoints/{checkpoint_id}/resume`. */
export type CheckpointResumeRequest = z.infer<typeof CheckpointResumeRequestSchema>;

/** The response to a checkpoint resume: the session to follow next, the same one except from an original server. */
export const CheckpointResumeResponseSchema = z.looseObject({
  session_id: z.string().min(1),
  private_data: z.record(z.string(), z.unknown()).nullish(),
});
/** The response to a checkpoint resume. */
export type CheckpointResumeResponse = z.infer<typeof CheckpointResumeResponseSchema>;
