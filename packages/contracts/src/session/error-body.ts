import * as z from 'zod';

/** What every refused HTTP request is answered with. `code` is stable, `message` is for people, `details` never holds secrets. */
export const ErrorBodySchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
/** What every refused HTTP request is answered with. */
export type ErrorBody = z.infer<typeof ErrorBodySchema>;
