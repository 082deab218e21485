import * as z from 'zod';

/** How the run is executed. `timeout` is in seconds; 0 means no timeout. */
export const ExecutionConfigSchema = z.looseObject({
  agent_id: z.string().nullish(),
  timeout: z.number().min(0).nullish(),
  sdk_delivery_mode: z.enum(['invoke', 'stream']).nullish(),
  client_timezone: z.string().nullish(),
  sdk_deployment_timezone: z.string().nullish(),
});
/** How the run is executed. */
export type ExecutionConfig = z.infer<typeof ExecutionConfigSchema>;

/** The allowed system tools and what they may see. An empty `allowed_tools` disables all of them. */
export const SystemToolsConfigSchema = z.looseObject({
  allowed_tools: z.array(z.string()).nullish(),
  approved_compose_artifact_targets: z.union([z.array(z.string()), z.boolean()]).nullish(),
  allow_private_data: z.boolean().nullish(),
  allow_private_data_placeholders: z.boolean().nullish(),
});
/** The allowed system tools and what they may see. */
export type SystemToolsConfig = z.infer<typeof SystemToolsConfigSchema>;

/** The shapes a run can take. */
export const OrchestrationModeSchema = z.enum([
  'single_shot_dag',
  'supervisor_loop',
  'strict_user_dag',
  'hybrid',
]);
/** The shapes a run can take. */
export type OrchestrationMode = z.infer<typeof OrchestrationModeSchema>;

/** When a run ends. */
export const StopStrategySchema = z.enum([
  'orchestrator_decides',
  'final_tool_completed',
  'objective_satisfied',
  'max_cycles',
  'blocker_detected',
]);
/** When a run ends. */
export type StopStrategy = z.infer<typeof StopStrategySchema>;

/** How a run is planned and when it stops. `max_cycles` can only lower the orchestrator's own limit. */
export const OrchestrationConfigSchema = z.looseObject({
  mode: OrchestrationModeSchema.nullish(),
  final_output_mode: z.enum(['terminal', 'supervised', 'aggregator_only']).nullish(),
  allow_followup_actions: z.boolean().nullish(),
  stop_strategy: StopStrategySchema.nullish(),
  allow_reevaluate_loop: z.boolean().nullish(),
  max_cycles: z.number().int().positive().nullish(),
});
/** How a run is planned and when it stops. */
export type OrchestrationConfig = z.infer<typeof OrchestrationConfigSchema>;

/** Asks for the answer in the shape of the model tool named `model`. */
export const StructuredOutputConfigSchema = z.looseObject({
  enabled: z.boolean().nullish(),
  model: z.string().nullish(),
});
/** Asks for the answer in the shape of a model tool. */
export type StructuredOutputConfig = z.infer<typeof StructuredOutputConfigSchema>;
