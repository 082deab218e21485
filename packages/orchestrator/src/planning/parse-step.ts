import { isJsonObject } from '../json-object.js';
import { withoutNulls } from '../without-nulls.js';
import type * as z from 'zod';
import type { PlanStep } from './plan-step.js';
import type { ComposedText } from './planner.js';
import { PlannerError } from './planner-error.js';
import { ComposedSchema, StepSchema } from './step-schema.js';

/**
 * Parses what a planner returned, which may be anyone's own. Naming what is wrong, rather than failing where it is used,
 * also keeps out questions that nobody could answer.
 * @throws PlannerError `PLANNER_INVALID_STEP` naming the first invalid field, without its value
 */
export function parseStep(step: unknown): PlanStep {
  return parse('step', StepSchema, withoutNullFields(step));
}

/**
 * Parses the text that a planner returned for an argument.
 * @throws PlannerError as `parseStep`
 */
export function parseComposed(composed: unknown): ComposedText {
  return parse('text', ComposedSchema, composed);
}

function parse<Value>(what: string, schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || '(root)';
  throw new PlannerError(`The planner returned an invalid ${what}: ${place}: ${issue?.message}`, {
    code: 'PLANNER_INVALID_STEP',
  });
}

/** Null counts as absent, except as a result: data may be null. */
function withoutNullFields(step: unknown): unknown {
  if (!isJsonObject(step)) return step;
  const { result, ...fields } = step;
  return result === undefined ? withoutNulls(fields) : { ...withoutNulls(fields), result };
}
