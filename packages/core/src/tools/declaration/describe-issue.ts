import type * as z from 'zod';

/** Zod's message for a custom rule without a message of its own. */
const NO_MESSAGE = 'Invalid input';

/** The unit of a length, by the kind of value. */
const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'entries',
  record: 'entries',
  file: 'bytes',
};

/** Formats whose names are not informative. */
const PATTERNS: ReadonlySet<string> = new Set(['regex', 'template_literal']);

/** Describes what is wrong with a value, without the value: zod's own rules, and the messages of custom ones. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message === NO_MESSAGE ? 'does not meet a rule of its schema' : issue.message;
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected one of ${listValues(issue.values)}`;
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'too_small':
      return describeBound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return describeFormat(issue);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return describeUnion(issue);
    case 'invalid_key':
    case 'invalid_element':
      return `has ${issue.code === 'invalid_key' ? 'a name' : 'an entry'} that does not fit: ${listProblems(issue.issues)}`;
  }
}

function listValues(values: readonly z.core.util.Primitive[]): string {
  return values
    .map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
    .join(', ');
}

function describeBound(
  { origin, exact }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
  bound: number | bigint,
  relation: string,
): string {
  const limit = origin === 'date' ? new Date(Number(bound)).toISOString() : String(bound);
  const amount = `${exact ? 'exactly' : relation} ${limit}`;
  const unit = UNITS[origin];
  return unit === undefined ? `must be ${amount}` : `must have ${amount} ${unit}`;
}

function describeFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if ('prefix' in issue) return `must start with ${JSON.stringify(issue.prefix)}`;
  if ('suffix' in issue) return `must end with ${JSON.stringify(issue.suffix)}`;
  if ('includes' in issue) return `must contain ${JSON.stringify(issue.includes)}`;
  const { format, pattern } = issue;
  return pattern !== undefined && PATTERNS.has(format)
    ? `must match ${pattern}`
    : `must be a valid ${format}`;
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.inclusive === false) return 'fits more than one alternative';
  if (issue.options?.length) return `expected one of ${listValues(issue.options)}`;
  return `fits no alternative: ${issue.errors.map(listProblems).join(' | ')}`;
}

function listProblems(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .map((issue) => [issue.path.map(String).join('.'), describeIssue(issue)].filter(Boolean).join(' '))
    .join('; ');
}
