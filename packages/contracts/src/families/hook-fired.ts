import * as z from 'zod';
import { HookDescriptorSchema } from '../descriptors.js';
import { integer, text } from '../tolerant.js';
import { optionalStamps } from './stamps.js';

/** `hook_fired`: a developer's hook ran before or after a tool, agent or swarm. */
export const HookFiredPayloadSchema = z.looseObject({
  ...optionalStamps('hook_fired'),
  name: text,
  stage: text,
  status: text,
  target_type: text,
  target_id: text,
  target_name: text,
  source: text,
  error: text,
  elapsed_ms: integer,
  hook: HookDescriptorSchema.nullish(),
});
/** `hook_fired`: a developer's hook ran before or after a tool, agent or swarm. */
export type HookFiredPayload = z.infer<typeof HookFiredPayloadSchema>;
