import * as z from 'zod';

/** The body of `DELETE /sessions/{session_id}`, which is optional. */
export const CancelRequestSchema = z.looseObject({ reason: z.string().max(500).nullish() });
