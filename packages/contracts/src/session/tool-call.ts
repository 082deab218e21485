import * as z from 'zod';

/** One call of a tool of the client's. `args` holds what the planner chose, never an injected value. */
export const ToolCallSchema = z.looseObject({
  tool_id: z.string(),
  args: z.preprocess(
    (args: Record<string, unknown> | null | undefined) => args ?? undefined,
    z.record(z.string(), z.unknown()).default({}),
  ),
  tool_name: z.string().nullish(),
});
/** One call of a tool of the client's. */
export type ToolCall = z.infer<typeof ToolCallSchema>;

const injected = z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish();

/** What a `tool_event` asks: one call, several (`tool_calls`), or an acknowledgement (`barrier`). The `*_injected` lists inform only. */
export const ToolEventValueSchema = z.looseObject({
  tool_call: ToolCallSchema.nullish(),
  tool_calls: z.array(ToolCallSchema).nullish(),
  barrier: z.unknown().optional(),
  private_data_injected: injected,
  interrupt_data_injected: injected,
});

/** The payload of a raw `tool_event`. `id` is the tool event id that results are posted under. */
export const ToolEventPayloadSchema = z.looseObject({
  id: z.string().min(1),
  value: ToolEventValueSchema,
});
/** The payload of a raw `tool_event`. */
export type ToolEventPayload = z.infer<typeof ToolEventPayloadSchema>;
