import { expectTypeOf } from 'vitest';
import type * as z from 'zod';
import type { TokenUsageSchema } from '../../src/session/final-payload.js';
import type { ToolCallSchema } from '../../src/session/tool-call.js';

expectTypeOf<z.input<typeof TokenUsageSchema>['total_tokens']>().toEqualTypeOf<number | null | undefined>();
expectTypeOf<z.input<typeof ToolCallSchema>['args']>().toEqualTypeOf<
  Record<string, unknown> | null | undefined
>();
expectTypeOf<{ tool_id: string }>().toExtend<z.input<typeof ToolCallSchema>>();
