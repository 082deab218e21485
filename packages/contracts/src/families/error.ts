import * as z from 'zod';
import { ErrorInfoDescriptorSchema } from '../descriptors.js';
import { objectOrEmpty } from '../tolerant.js';
import { stamps } from './stamps.js';

/** `error`: the turn ended with an error. */
export const ErrorPayloadSchema = z.looseObject({
  ...stamps('error'),
  error: z.string(),
  details: objectOrEmpty,
  error_info: ErrorInfoDescriptorSchema,
});
/** `error`: the turn ended with an error. */
export type ErrorPayload = z.infer<typeof ErrorPayloadSchema>;
