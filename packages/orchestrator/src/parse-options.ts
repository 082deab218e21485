import * as z from 'zod';
import { withoutNulls } from './without-nulls.js';

/**
 * Parses options with a schema; null counts as absent.
 *
 * @throws RangeError naming the first invalid option, without its value; for an unknown one, also the known options
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(options), { error: listKnownOptions });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  if (issue?.code !== 'unrecognized_keys')
    throw new RangeError(`${owner}: ${path.join('.') || 'options'} is invalid: ${issue?.message}`);
  const name = [...path, ...issue.keys.slice(0, 1)].join('.');
  throw new RangeError(`${owner}: unknown option '${name}'. Known options: ${issue.message}.`);
}

function listKnownOptions({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  const isUnknown = code === 'unrecognized_keys' && inst instanceof z.ZodObject;
  return isUnknown ? Object.keys(inst.shape).join(', ') : undefined;
}
