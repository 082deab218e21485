import * as z from 'zod';
import { SessionDescriptorSchema } from '../descriptors.js';
import { text } from '../tolerant.js';
import { optionalStamps } from './stamps.js';

/** `session_start`: a session or a new turn started. */
export const SessionStartPayloadSchema = z.looseObject({
  ...optionalStamps('session_start'),
  session_id: z.string(),
  assistant_id: text,
  session: SessionDescriptorSchema.nullish(),
});
/** `session_start`: a session or a new turn started. */
export type SessionStartPayload = z.infer<typeof SessionStartPayloadSchema>;

/** `session_end`: the session ended; no events follow. */
export const SessionEndPayloadSchema = z.looseObject({
  ...optionalStamps('session_end'),
  session_id: z.string(),
  session: SessionDescriptorSchema.nullish(),
});
/** `session_end`: the session ended; no events follow. */
export type SessionEndPayload = z.infer<typeof SessionEndPayloadSchema>;
