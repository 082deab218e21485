import * as z from 'zod';

/** The body of every HTTP error response. `code` is stable, `message` is for people, `details` never contains secrets. */
export const ErrorBodySchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
/** The body of every HTTP error response. */
export type ErrorBody = z.infer<typeof ErrorBodySchema>;
