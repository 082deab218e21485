import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type * as z from 'zod';
import { listKnownOptions, withoutNulls } from '../config/options.js';

/** A schedule or one of its policies is invalid, or its job cannot do what was requested. */
export class ScheduleError extends MaivnSDKError {}

/** Parses options of a schedule; the error names the invalid ones and the rules they break. */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(options), { error: listKnownOptions });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message, code }) =>
    path.length > 0 || code !== 'unrecognized_keys'
      ? `${path.join('.') || 'the value'}: ${message}`
      : message,
  );
  throw new ScheduleError(`Invalid options for ${owner}. ${problems.join('; ')}`, {
    code: 'SCHEDULE_INVALID_OPTION',
    details: { owner, problems },
  });
}

/** Refuses an object that lacks a required function. */
export function requireFunctions<Value>(value: Value, names: readonly string[], owner: string): Value {
  const lacking = names.filter((name) => typeof Object(value)[name] !== 'function');
  if (lacking.length === 0) return value;
  throw new ScheduleError(
    `${owner} expects an object with the functions ${names.join(', ')}; it lacks ${lacking.join(', ')}.`,
    {
      code: 'SCHEDULE_INVALID_OPTION',
      details: { owner, lacking },
    },
  );
}
