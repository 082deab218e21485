import type { JsonObject, JsonValue } from '@svc/contracts';
import * as z from 'zod';
import { isJsonObject } from '../json-object.js';
import type { PlanStep } from './plan-step.js';
import { nullsAbsent, withoutNulls } from '../without-nulls.js';
import { PlannerError } from './planner-error.js';

// Checked values are JSON already; only their shape is unknown.
const JsonSchema = z.custom<JsonValue>((value) => value !== undefined);
const JsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'must be an object');

const tokens = z.exactOptional(z.number().nonnegative());

const UsageSchema = nullsAbsent(
  z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    total_tokens: tokens,
    cache_read_tokens: tokens,
    cache_creation_tokens: tokens,
    reasoning_tokens: tokens,
  }),
);

const base = { usage: z.exactOptional(UsageSchema), state: z.exactOptional(JsonSchema) };

const CallSchema = nullsAbsent(z.object({ tool_id: z.string(), args: JsonObjectSchema.default({}) }));

const QuestionSchema = nullsAbsent(
  z.object({
    question_id: z.string(),
    prompt: z.string(),
    input_type: z.enum(['text', 'choice', 'boolean', 'number']),
    choices: z.exactOptional(z.array(z.string())),
    tool_id: z.exactOptional(z.string()),
    arg_name: z.exactOptional(z.string()),
  }),
);

const StepSchema: z.ZodType<PlanStep> = z.discriminatedUnion('type', [
  z.object({
    ...base,
    type: z.literal('call'),
    calls: z.array(CallSchema),
    text: z.exactOptional(z.string()),
  }),
  z.object({ ...base, type: z.literal('ask'), questions: z.array(QuestionSchema) }),
  z.object({
    ...base,
    type: z.literal('finish'),
    text: z.string(),
    result: z.exactOptional(JsonSchema),
    blocked: z.exactOptional(z.boolean()),
  }),
]);

/**
 * Parses what a planner returned, which may be anyone's own. Naming what is wrong, rather than failing where it is used,
 * also keeps out questions that nobody could answer.
 * @throws PlannerError `PLANNER_INVALID_STEP` naming the first invalid field, without its value
 */
export function parseStep(step: unknown): PlanStep {
  const parsed = StepSchema.safeParse(withoutNullFields(step));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || '(root)';
  throw new PlannerError(`The planner returned an invalid step: ${place}: ${issue?.message}`, {
    code: 'PLANNER_INVALID_STEP',
  });
}

/** Null counts as absent, except as a result: data may be null. */
function withoutNullFields(step: unknown): unknown {
  if (!isJsonObject(step)) return step;
  const { result, ...fields } = step;
  return result === undefined ? withoutNulls(fields) : { ...withoutNulls(fields), result };
}
