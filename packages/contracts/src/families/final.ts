import * as z from 'zod';
import { OutputDescriptorSchema } from '../descriptors.js';
import { anything, object, textsOrEmpty } from '../tolerant.js';
import { stamps } from './stamps.js';

/** `final`: the turn ended with an answer. `responses` contains the answer, or is empty if it is blank. */
export const FinalPayloadSchema = z.looseObject({
  ...stamps('final'),
  responses: textsOrEmpty,
  response: z.string().nullable(),
  result: anything,
  token_usage: object,
  output: OutputDescriptorSchema,
});
/** `final`: the turn ended with an answer. `responses` contains the answer, or is empty if it is blank. */
export type FinalPayload = z.infer<typeof FinalPayloadSchema>;
