import * as z from 'zod';

/** The body of `DELETE /sessions/{session_id}`, which may be left out. */
export const CancelRequestSchema = z.looseObject({ reason: z.string().max(500).nullish() });
