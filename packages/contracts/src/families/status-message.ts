import * as z from 'zod';
import { AssistantDescriptorSchema, StatusDescriptorSchema } from '../descriptors.js';
import { stamps } from './stamps.js';

/** `status_message`: a single status line, never appended to other text. Here `status` is an object. */
export const StatusMessagePayloadSchema = z.looseObject({
  ...stamps('status_message'),
  assistant_id: z.string(),
  message: z.string(),
  assistant: AssistantDescriptorSchema,
  status: StatusDescriptorSchema,
});
/** `status_message`: a single status line, never appended to other text. Here `status` is an object. */
export type StatusMessagePayload = z.infer<typeof StatusMessagePayloadSchema>;
