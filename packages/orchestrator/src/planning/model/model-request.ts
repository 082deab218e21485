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

/** How a model plans. */
export interface ModelPlannerOptions {
  /** Any AI SDK language model. */
  readonly model: LanguageModel;
  /** Other models by the name a request asks for: `fast`, `balanced`, `max`, or an exact id. @default none */
  readonly models?: Readonly<Record<string, LanguageModel>> | undefined;
  /** Tokens one turn may write. @default the provider's own limit */
  readonly maxOutputTokens?: number | undefined;
  /** Bytes one turn may write: its text, its thoughts and the arguments of its calls together. @default 4_194_304 (4 MiB) */
  readonly maxOutputBytes?: number | undefined;
  /** Tries after a rate limit or an outage, with growing waits, or as long as `Retry-After` says, up to a minute. @default 2 */
  readonly maxRetries?: number | undefined;
  /** Longest wait for one model call, with its retries and the waits before them, in whole milliseconds. @default 300_000 */
  readonly timeoutMs?: number | undefined;
}

const ModelSchema = z.custom<LanguageModel>(
  (given) =>
    typeof given === 'string' || (typeof given === 'object' && given !== null && 'doStream' in given),
  'give an AI SDK language model',
);
const OptionsSchema = z.strictObject({
  model: ModelSchema,
  models: nullsAbsent(z.record(z.string(), ModelSchema)).optional(),
  maxOutputTokens: z.number().int().min(1).optional(),
  maxOutputBytes: z.number().int().min(1).optional(),
  maxRetries: z.number().int().min(0).optional(),
  timeoutMs: z.int().min(1).max(LONGEST_TIMER_MS).optional(),
} satisfies Record<keyof ModelPlannerOptions, z.ZodType>);

/** The options without those that are null. @throws RangeError naming an option that does not fit */
export function readModelOptions(options: ModelPlannerOptions): ModelPlannerOptions {
  return parseOptions(OptionsSchema, options, 'modelPlanner');
}

/** Names of tiers: they fall back to the default model, where an exact id must exist. */
const tiers = new Set(['auto', 'fast', 'balanced', 'max', 'ultra']);

function modelFor({ preference }: PlanContext, { model, models = {} }: ModelPlannerOptions): LanguageModel {
  const wanted = preference.model;
  if (wanted === undefined) return model;
  const found = Object.hasOwn(models, wanted) ? models[wanted] : undefined;
  if (found !== undefined) return found;
  if (tiers.has(wanted)) return model;
  throw new PlannerError(
    `There is no model “${cutText(wanted, 100)}” here. Available: ${['auto', ...Object.keys(models)].join(', ')}.`,
    {
      code: 'PLANNER_CONFIGURATION',
    },
  );
}

/** What a model is asked at this point of a run. */
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
