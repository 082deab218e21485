import * as z from 'zod';
import { BoundResourceSchema, DefinedSkillSchema, MemoryConfigSchema } from './memory-config.js';

/** Whether a nested agent adds prose to its result. */
export const NestedSynthesisSchema = z.union([z.boolean(), z.literal('auto')]);
/** Whether a nested agent adds prose to its result. */
export type NestedSynthesis = z.infer<typeof NestedSynthesisSchema>;

/** One member of a swarm. `invokes_via_dependency` names members that this member's own tools already call. */
export const RosterEntrySchema = z.looseObject({
  agent_id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  use_as_final_output: z.boolean().default(false),
  included_nested_synthesis: NestedSynthesisSchema.nullish(),
  included_nested_synthesis_guidance: z.string().nullish(),
  has_final_tool: z.boolean().default(false),
  invocation_tool_id: z.string().nullish(),
  invokes_via_dependency: z.array(z.string()).nullish(),
  memory_config: MemoryConfigSchema.nullish(),
  memory_defined_skills: z.array(DefinedSkillSchema).nullish(),
  memory_bound_resources: z.array(BoundResourceSchema).nullish(),
});
/** One member of a swarm. */
export type RosterEntry = z.infer<typeof RosterEntrySchema>;

/** The swarm a session belongs to: the whole roster on the root session, the invocation on a nested one. */
export const SwarmConfigSchema = z.looseObject({
  invocation_intent: z.boolean().nullish(),
  swarm_id: z.string().nullish(),
  swarm_name: z.string().nullish(),
  swarm_description: z.string().nullish(),
  swarm_system_prompt: z.string().nullish(),
  agent_roster: z.array(RosterEntrySchema).nullish(),
  agent_invocation_tool_map: z.record(z.string(), z.string()).nullish(),
  swarm_has_final_tool: z.boolean().nullish(),
  agent_invocation: z.boolean().nullish(),
  use_as_final_output: z.boolean().nullish(),
  invoked_agent_id: z.string().nullish(),
  invoked_agent_name: z.string().nullish(),
  included_nested_synthesis: NestedSynthesisSchema.nullish(),
  sdk_delivery_mode: z.enum(['invoke', 'stream']).nullish(),
  agent_dependency_context: z.record(z.string(), z.unknown()).nullish(),
  agent_dependency_context_keys: z.array(z.string()).nullish(),
  parent_session_id: z.string().nullish(),
  parent_tool_event_id: z.string().nullish(),
});
/** The swarm a session belongs to. */
export type SwarmConfig = z.infer<typeof SwarmConfigSchema>;
