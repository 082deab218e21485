import * as z from 'zod';
import { StorableText } from '../storable-text.js';
import { BindingTypeSchema } from './resources/resources.js';

/**
 * The body of a purge. Without a project it is the key's own. Anything that may have been meant to purge less, such as
 * an empty session or an unknown field, is refused.
 */
export const PurgeBodySchema = z.strictObject({
  confirm_token: z.string().nullish(),
  project_id: z.string().nullish(),
  session_id: z.string().min(1).nullish(),
});

/** The body of a promotion: who will see the copy. */
export const PromoteBodySchema = z.object({ target_scope: z.enum(['project', 'org']) });

/** The body of a binding. */
export const BindBodySchema = z.object({
  binding_type: BindingTypeSchema,
  target_id: StorableText.max(256).nullish(),
});
