import type * as z from 'zod';

/** What to throw for options that do not fit. It names the first of them, and no value. */
export function unfitOption({ issues: [issue] }: z.ZodError, made: string): RangeError {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const name = [...(issue?.path ?? []), ...unknown].join('.') || 'options';
  return new RangeError(`${made}: ${name} is invalid: ${issue?.message}`);
}
