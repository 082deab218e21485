import * as z from 'zod';
import { ChunkDescriptorSchema, ToolDescriptorSchema } from '../descriptors.js';
import { anything, decimal, objectOrEmpty, text } from '../tolerant.js';
import { optionalStamps, stamps } from './stamps.js';

/** `system_tool_start`: an orchestrator tool started. The flat `tool_type` is the tool's name. */
export const SystemToolStartPayloadSchema = z.looseObject({
  ...stamps('system_tool_start'),
  tool_type: z.string(),
  tool_id: z.string(),
  params: objectOrEmpty,
  agent_name: text,
  swarm_name: text,
  tool: ToolDescriptorSchema,
});
/** `system_tool_start`: an orchestrator tool started. The flat `tool_type` is the tool's name. */
export type SystemToolStartPayload = z.infer<typeof SystemToolStartPayloadSchema>;

/** `system_tool_chunk`: an orchestrator tool reports its progress. */
export const SystemToolChunkPayloadSchema = z.looseObject({
  ...stamps('system_tool_chunk'),
  tool_id: z.string(),
  text: z.string(),
  progress: decimal,
  tool: ToolDescriptorSchema,
  chunk: ChunkDescriptorSchema,
});
/** `system_tool_chunk`: an orchestrator tool reports its progress. */
export type SystemToolChunkPayload = z.infer<typeof SystemToolChunkPayloadSchema>;

/** `system_tool_complete`: an orchestrator tool completed. */
export const SystemToolCompletePayloadSchema = z.looseObject({
  ...stamps('system_tool_complete'),
  tool_id: z.string(),
  result: anything,
  tool: ToolDescriptorSchema,
});
/** `system_tool_complete`: an orchestrator tool completed. */
export type SystemToolCompletePayload = z.infer<typeof SystemToolCompletePayloadSchema>;

/** `system_tool_error`: an orchestrator tool failed. Normalized streams contain a failed `tool_event` instead. */
export const SystemToolErrorPayloadSchema = z.looseObject({
  ...optionalStamps('system_tool_error'),
  tool_id: text,
  tool_name: text,
  error: text,
  tool: ToolDescriptorSchema.nullish(),
});
/** `system_tool_error`: an orchestrator tool failed. Normalized streams contain a failed `tool_event` instead. */
export type SystemToolErrorPayload = z.infer<typeof SystemToolErrorPayloadSchema>;
