import * as z from 'zod';
import { checkOptions } from '../../config/options.js';
import { isJson, NO_JSON } from '../../is-json.js';
import type { ToolTraits } from './tool-options.js';

const TraitsSchema = z.looseObject({
  tags: z.array(z.string()).readonly().nullish(),
  metadata: z.record(z.string(), z.unknown()).refine(isJson, NO_JSON).nullish(),
  alwaysExecute: z.boolean().nullish(),
  finalTool: z.boolean().nullish(),
  idempotent: z.boolean().nullish(),
  maxResultBytes: z.int().min(1).nullish(),
} satisfies Partial<Record<keyof ToolTraits, z.ZodType>>);

/** Refuses values that would be misread: the string 'false' as `true`, a non-number as no limit. */
export function checkTraits(traits: Partial<ToolTraits>, owner: string): void {
  checkOptions(TraitsSchema, traits, owner);
}
