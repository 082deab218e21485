import type * as z from 'zod';
import { withoutNulls } from './without-nulls.js';

/**
 * Parses options with a schema; null counts as absent.
 *
 * @throws RangeError naming the first invalid option, without its value
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(options));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const name = [...(issue?.path ?? []), ...unknown].join('.') || 'options';
  throw new RangeError(`${owner}: ${name} is invalid: ${issue?.message}`);
}
