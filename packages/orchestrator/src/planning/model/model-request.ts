import type { LanguageModel } from 'ai';
import * as z from 'zod';
import { LONGEST_TIMER_MS } from '../../clock.js';
import { cutText } from '../../cut-text.js';
import { parseOptions } from '../../parse-options.js';
import { nullsAbsent } from '../../without-nulls.js';
import type { PlanContext } from '../plan-context.js';
import { PlannerError } from '../planner-error.js';
import { planLimits } from '../policy/plan-limits.js';
import { composeInstructions } from './instructions.js';
import { composeMessages } from './compose-messages.js';
import { offerTools } from './model-tools.js';
import type { ModelRequest } from './model-turn.js';
import type { ToolNames } from './tool-names.js';

/** The options of `modelPlanner`. */
export interface ModelPlannerOptions {
  /** The default model; any AI SDK language model. */
  readonly model: LanguageModel;
  /** Other models by the name that requests use: `fast`, `balanced`, `max`, or an exact id. @default none */
  readonly models?: Readonly<Record<string, LanguageModel>> | undefined;
  /** Maximum number of tokens that the model writes per turn. @default the provider's limit */
  readonly maxOutputTokens?: number | undefined;
  /** Maximum number of bytes that the model writes per turn: text, reasoning and call arguments together. @default 4_194_304 (4 MiB) */
  readonly maxOutputBytes?: number | undefined;
  /** Retries after a rate limit or an outage, with exponential backoff, or after `Retry-After`, up to a minute. @default 2 */
  readonly maxRetries?: number | undefined;
  /** Time limit of one model call, including its retries and the waits before them, in whole milliseconds. @default 300_000 */
  readonly timeoutMs?: number | undefined;
}

const ModelSchema = z.custom<LanguageModel>(
  (value) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null && 'doStream' in value),
  'must be an AI SDK language model',
);
const OptionsSchema = z.strictObject({
  model: ModelSchema,
  models: nullsAbsent(z.record(z.string(), ModelSchema)).optional(),
  maxOutputTokens: z.number().int().min(1).optional(),
  maxOutputBytes: z.number().int().min(1).optional(),
  maxRetries: z.number().int().min(0).optional(),
  timeoutMs: z.int().min(1).max(LONGEST_TIMER_MS).optional(),
} satisfies Record<keyof ModelPlannerOptions, z.ZodType>);

/** The options without null fields. @throws RangeError naming an invalid option */
export function readModelOptions(options: ModelPlannerOptions): ModelPlannerOptions {
  return parseOptions(OptionsSchema, options, 'modelPlanner');
}

/** Names of tiers. They fall back to the default model, whereas an exact id must exist. */
const tiers = new Set(['auto', 'fast', 'balanced', 'max', 'ultra']);

function modelFor({ preference }: PlanContext, { model, models = {} }: ModelPlannerOptions): LanguageModel {
  const wanted = preference.model;
  if (wanted === undefined) return model;
  const found = Object.hasOwn(models, wanted) ? models[wanted] : undefined;
  if (found !== undefined) return found;
  if (tiers.has(wanted)) return model;
  throw new PlannerError(
    `There is no model “${cutText(wanted, 100)}”. Available: ${['auto', ...Object.keys(models)].join(', ')}.`,
    {
      code: 'PLANNER_CONFIGURATION',
    },
  );
}

/** The request to the model at this point of a run. */
export function modelRequest(
  context: PlanContext,
  names: ToolNames,
  options: ModelPlannerOptions,
): ModelRequest {
  const limits = planLimits(context);
  const { maxOutputTokens, maxOutputBytes = 4 * 1024 * 1024, maxRetries = 2, timeoutMs = 300_000 } = options;
  const { reasoning } = context.preference;
  return {
    ...offerTools(context, limits, names),
    model: modelFor(context, options),
    instructions: composeInstructions(context, limits, names),
    messages: composeMessages(context, names),
    maxRetries,
    timeoutMs,
    maxOutputBytes,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}
