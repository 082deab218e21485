import type * as z from 'zod';
import { withoutNulls } from './without-nulls.js';

/**
 * Options as a schema reads them; what is null is as if it were absent.
 *
 * @throws RangeError naming the first option that does not fit, and no value
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const name = [...(issue?.path ?? []), ...unknown].join('.') || 'options';
  throw new RangeError(`${owner}: ${name} is invalid: ${issue?.message}`);
}
