import type { JsonObject, JsonValue } from '@svc/contracts';
import * as z from 'zod';
import { isJsonObject } from '../json-object.js';
import { nullsAbsent } from '../without-nulls.js';
import type { PlanStep } from './plan-step.js';
import type { ComposedText } from './planner.js';

// What these schemas check is JSON already; only its shape is unknown.
export const JsonSchema = z.custom<JsonValue>((value) => value !== undefined);
export const JsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'must be an object');

const tokens = z.exactOptional(z.number().nonnegative());

/** Tokens that were used. */
export const UsageSchema = nullsAbsent(
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

/** What a planner decided. */
export const StepSchema: z.ZodType<PlanStep> = z.discriminatedUnion('type', [
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

/** The text that a planner wrote for an argument. */
export const ComposedSchema: z.ZodType<ComposedText> = nullsAbsent(
  z.object({ text: z.string(), usage: z.exactOptional(UsageSchema) }),
);
