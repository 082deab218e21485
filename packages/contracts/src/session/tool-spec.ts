import * as z from 'zod';

/** The kinds of tools a request can declare. */
export const ToolTypeSchema = z.enum(['func', 'model', 'agent', 'mcp', 'method', 'system']);
/** The kinds of tools a request can declare. */
export type ToolType = z.infer<typeof ToolTypeSchema>;

/** Replaces an argument's schema: the argument is another tool's result. `tool_id` may also be a tool name. */
export const ToolDependencyMarkerSchema = z.looseObject({
  type: z.literal('tool_dependency'),
  tool_id: z.string(),
  tool_name: z.string().nullish(),
  tool_type: z.string().nullish(),
  description: z.string().nullish(),
  output_type: z.string().nullish(),
  original_ref: z.unknown().optional(),
});
/** Replaces an argument's schema: the argument is another tool's result. */
export type ToolDependencyMarker = z.infer<typeof ToolDependencyMarkerSchema>;

/** Replaces an argument's schema: the argument is a private value of the caller. */
export const DataDependencyMarkerSchema = z.looseObject({
  type: z.literal('data_dependency'),
  data_key: z.string().nullish(),
  arg_name: z.string().nullish(),
  description: z.string().nullish(),
});
/** Replaces an argument's schema: the argument is a private value of the caller. */
export type DataDependencyMarker = z.infer<typeof DataDependencyMarkerSchema>;

/** The type of input that an interrupt asks for. */
export const InterruptInputTypeSchema = z.enum([
  'text',
  'choice',
  'boolean',
  'number',
  'email',
  'password',
  'literal',
]);
/** The type of input that an interrupt asks for. */
export type InterruptInputType = z.infer<typeof InterruptInputTypeSchema>;

/**
 * Replaces an argument's schema: a person supplies the argument. `input_type`, `choices` and
 * `collected_by: 'orchestrator'` are additions; without the latter the client asks when the tool runs.
 */
export const InterruptDependencyMarkerSchema = z.looseObject({
  type: z.literal('interrupt_dependency'),
  interrupt_id: z.string().nullish(),
  prompt: z.string().nullish(),
  data_key: z.string().nullish(),
  description: z.string().nullish(),
  input_type: InterruptInputTypeSchema.nullish(),
  choices: z.array(z.string()).nullish(),
  collected_by: z.enum(['client', 'orchestrator']).nullish(),
});
/** Replaces an argument's schema: a person supplies the argument. */
export type InterruptDependencyMarker = z.infer<typeof InterruptDependencyMarkerSchema>;

/** A dependency marker in `args_schema.properties`, in place of an argument's schema. */
export const DependencyMarkerSchema = z.discriminatedUnion('type', [
  ToolDependencyMarkerSchema,
  DataDependencyMarkerSchema,
  InterruptDependencyMarkerSchema,
]);
/** A dependency marker in `args_schema.properties`, in place of an argument's schema. */
export type DependencyMarker = z.infer<typeof DependencyMarkerSchema>;

/** One ordering rule between tools: nothing is injected. */
export const ExecutionControlSchema = z.looseObject({
  dependency_type: z.string().nullish(),
  tool_id: z.string(),
  tool_name: z.string().nullish(),
  timing: z.enum(['before', 'after']).default('after'),
  instance_control: z.enum(['each', 'all']).default('each'),
});
/** One ordering rule between tools: nothing is injected. */
export type ExecutionControl = z.infer<typeof ExecutionControlSchema>;

/** `metadata.execution_controls` of a tool. */
export const ExecutionControlsSchema = z.looseObject({
  await_for: z.array(ExecutionControlSchema).default([]),
  reevaluate: z.array(ExecutionControlSchema).default([]),
});
/** `metadata.execution_controls` of a tool. */
export type ExecutionControls = z.infer<typeof ExecutionControlsSchema>;

/** Whether the `compose` system tool may, must or must not write an argument. */
export const ComposePolicySchema = z.looseObject({
  mode: z.enum(['forbid', 'allow', 'require']).default('allow'),
  approval: z.enum(['none', 'explicit']).default('none'),
});
/** Whether the `compose` system tool may, must or must not write an argument. */
export type ComposePolicy = z.infer<typeof ComposePolicySchema>;

/** `metadata.arg_policies` of a tool: argument name to its policies. */
export const ArgPoliciesSchema = z.record(
  z.string(),
  z.looseObject({ compose_artifact: ComposePolicySchema.optional() }),
);
/** `metadata.arg_policies` of a tool: argument name to its policies. */
export type ArgPolicies = z.infer<typeof ArgPoliciesSchema>;

/** An argument that must contain a reference from the named tool (`metadata.producer_references`); nothing is injected. */
export const ProducerReferenceSchema = z.looseObject({
  argument_path: z.string(),
  producer_tool_name: z.string(),
  reference_kind: z.string().default('composition_reference'),
});
/** An argument that must contain a reference from the named tool. */
export type ProducerReference = z.infer<typeof ProducerReferenceSchema>;

/**
 * A tool's arguments. Function tools send no `type: 'object'`; properties are JSON schemas or dependency markers;
 * `return_type` is a schema or `{}`.
 */
export const ArgsSchemaSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).nullish(),
  required: z.array(z.string()).nullish(),
  description: z.string().nullish(),
  return_type: z.unknown().optional(),
});
/** A tool's arguments. */
export type ArgsSchema = z.infer<typeof ArgsSchemaSchema>;

/** One declared tool. */
export const ToolSpecSchema = z.looseObject({
  tool_id: z.string().min(1),
  agent_id: z.string(),
  name: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()).nullish(),
  tool_type: ToolTypeSchema.default('func'),
  args_schema: ArgsSchemaSchema,
  always_execute: z.boolean().default(false),
  final_tool: z.boolean().default(false),
  metadata: z
    .looseObject({
      target_agent_id: z.string().optional(),
      execution_controls: ExecutionControlsSchema.optional(),
      arg_policies: ArgPoliciesSchema.optional(),
      producer_references: z.array(ProducerReferenceSchema).optional(),
      schema_only: z.boolean().optional(),
    })
    .default({}),
});
/** One declared tool. */
export type ToolSpec = z.infer<typeof ToolSpecSchema>;
/** A tool as sent: fields with defaults are optional. */
export type ToolSpecInput = z.input<typeof ToolSpecSchema>;
