import * as z from 'zod';
import { ToolDescriptorSchema } from '../descriptors.js';
import { anything, objectOrEmpty, text } from '../tolerant.js';
import { participantFields, stamps } from './stamps.js';

/** `tool_event`: a tool call started (`executing`) or ended (`completed`, `failed`, `cancelled`). Use one card per `tool.id`. */
export const ToolEventPayloadSchema = z.looseObject({
  ...stamps('tool_event'),
  tool_name: z.string(),
  tool_id: z.string(),
  tool_type: text,
  status: z.string(),
  args: objectOrEmpty,
  result: anything,
  error: text,
  agent_name: text,
  swarm_name: text,
  ...participantFields,
  tool: ToolDescriptorSchema,
});
/** `tool_event`: a tool call started (`executing`) or ended (`completed`, `failed`, `cancelled`). Use one card per `tool.id`. */
export type ToolEventPayload = z.infer<typeof ToolEventPayloadSchema>;
