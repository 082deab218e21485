import * as z from 'zod';

/** One call of a client tool. `args` contains the planner's arguments, never injected values. */
export const ToolCallSchema = z.looseObject({
  tool_id: z.string(),
  args: z.preprocess(
    (args: Record<string, unknown> | null | undefined) => args ?? undefined,
    z.record(z.string(), z.unknown()).default({}),
  ),
  tool_name: z.string().nullish(),
});
/** One call of a client tool. */
export type ToolCall = z.infer<typeof ToolCallSchema>;

const injected = z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish();

/** The request of a `tool_event`: one call, several (`tool_calls`) or a `barrier` to acknowledge. `*_injected` only informs. */
export const ToolEventValueSchema = z.looseObject({
  tool_call: ToolCallSchema.nullish(),
  tool_calls: z.array(ToolCallSchema).nullish(),
  barrier: z.unknown().optional(),
  private_data_injected: injected,
  interrupt_data_injected: injected,
});

/** The payload of a raw `tool_event`. `id` is the `tool_event_id` of the result to post. */
export const ToolEventPayloadSchema = z.looseObject({
  id: z.string().min(1),
  value: ToolEventValueSchema,
});
/** The payload of a raw `tool_event`. */
export type ToolEventPayload = z.infer<typeof ToolEventPayloadSchema>;
