import * as z from 'zod';
import { AssistantDescriptorSchema } from '../descriptors.js';
import { field } from '../tolerant.js';
import { participantFields, stamps } from './stamps.js';

/** `assistant_chunk`: text to append to this assistant's text, or to replace it. */
export const AssistantChunkPayloadSchema = z.looseObject({
  ...stamps('assistant_chunk'),
  assistant_id: z.string(),
  text: z.string(),
  replace_content: field(z.boolean()),
  ...participantFields,
  assistant: AssistantDescriptorSchema,
});
/** `assistant_chunk`: text to append to this assistant's text, or to replace it. */
export type AssistantChunkPayload = z.infer<typeof AssistantChunkPayloadSchema>;
