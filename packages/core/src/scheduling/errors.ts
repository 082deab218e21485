import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type * as z from 'zod';
import { withoutNulls } from '../config/options.js';

/** A schedule or one of its policies cannot work as given, or its job cannot do what was asked. */
export class ScheduleError extends MaivnSDKError {}

/** Reads the options of a policy; what does not fit is named with the rule it breaks. */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the value'}: ${message}`,
  );
  throw new ScheduleError(`${owner} does not take what was given. ${problems.join('; ')}`, {
    code: 'SCHEDULE_INVALID_OPTION',
    details: { owner, problems },
  });
}

/** Refuses what lacks a function that it is there for: each fire would fail for want of it. */
export function requireFunctions<Given>(given: Given, names: readonly string[], owner: string): Given {
  const lacking = names.filter((name) => typeof Object(given)[name] !== 'function');
  if (lacking.length === 0) return given;
  throw new ScheduleError(
    `${owner} does not take what was given. It lacks the function ${lacking.join(', ')}.`,
    {
      code: 'SCHEDULE_INVALID_OPTION',
      details: { owner, lacking },
    },
  );
}
