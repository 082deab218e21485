import * as z from 'zod';
import { PIIWhitelist } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { checkOptions, withoutNulls, type ShapeOf } from '../config/options.js';
import { isInterruptService, type InterruptService } from '../interrupts/interrupt-service.js';
import { isJson, NO_JSON } from '../is-json.js';
import { ResourceInputSchema, type ResourceInput } from '../memory/resource-input.js';
import { SkillInputSchema, type SkillInput } from '../memory/skill-input.js';
import type { PrivateDataInput } from '../privacy/private-data-map.js';
import { isReference, type ToolReference } from '../tools/tool-reference.js';
import { MemoryConfigSchema, mergeMemoryConfig, type MemoryConfig } from './memory-config.js';

/** Which tools of the orchestrator's own may be used. */
export interface SystemToolsConfig {
  /** Their names; an empty list disables all. */
  allowedTools?: readonly string[] | undefined;
  /** What the `compose` tool may write: `tool.argument`, `tool.*` or `*`; `true` means everything. */
  approvedComposeTargets?: readonly string[] | boolean | undefined;
}

/** How a run is planned and when it stops. */
export interface OrchestrationConfig {
  /** Which steps the planner may take; see the guide on planning. @default 'supervisor_loop' */
  mode?: 'single_shot_dag' | 'supervisor_loop' | 'strict_user_dag' | 'hybrid' | undefined;
  /** Whether the planner still looks at what the final tool or member gave (`supervised`), or that ends the run. @default it ends the run */
  finalOutputMode?: 'terminal' | 'supervised' | 'aggregator_only' | undefined;
  /** Whether tools may be called after the first round of planning. @default true */
  allowFollowupActions?: boolean | undefined;
  /** When planning stops. @default 'orchestrator_decides' */
  stopStrategy?:
    | 'orchestrator_decides'
    | 'final_tool_completed'
    | 'objective_satisfied'
    | 'max_cycles'
    | 'blocker_detected'
    | undefined;
  /** Whether a re-evaluate boundary stops planning each time, or once only. @default true */
  allowReevaluateLoop?: boolean | undefined;
  /** At least 1; it can only lower the orchestrator's own limit. */
  maxCycles?: number | undefined;
}

/** Skills and resources that travel with a run. */
export interface MemoryAssetsConfig {
  /** Skills that the run can use and that are stored. */
  definedSkills?: readonly SkillInput[] | undefined;
  /** Files and texts that the run can use and that are stored. */
  boundResources?: readonly ResourceInput[] | undefined;
  /** Whether the run is asked to recall what it needs first. */
  recallTurnActive?: boolean | undefined;
}

/** How hard the models think. */
export type Reasoning = 'minimal' | 'low' | 'medium' | 'high';

/** What both a scope and a call can say; the call wins, field by field. */
export interface SharedRunOptions {
  /** A tier (`auto`, `fast`, `balanced`, `max`) or the exact id of a model. */
  model?: string | undefined;
  /** @default the model's own */
  reasoning?: Reasoning | undefined;
  /** The answer must come from the final tool. @default false */
  forceFinalTool?: boolean | undefined;
  /** Labels for the orchestrator's records; some names are reserved. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Whether and how the run uses memory. Merged field by field at every depth. */
  memoryConfig?: MemoryConfig | undefined;
  /** Skills and resources that travel with the run. */
  memoryAssetsConfig?: MemoryAssetsConfig | undefined;
  /** Which of the orchestrator's own tools may be used. */
  systemToolsConfig?: SystemToolsConfig | undefined;
  /** How the run is planned and when it stops. */
  orchestrationConfig?: OrchestrationConfig | undefined;
  /** How long one run may take, in milliseconds. @default the client's */
  timeoutMs?: number | undefined;
  /** Answers questions that have no handler of their own. @default the process's service */
  interruptService?: InterruptService | undefined;
  /** Justified exceptions from redaction. */
  piiWhitelist?: PIIWhitelist | undefined;
}

/** What one call of `invoke`, `stream` or `batch` can say. */
export interface RunOptions extends SharedRunOptions {
  /** Ends the run: HTTP, tools, questions and the orchestrator's session. */
  signal?: AbortSignal | undefined;
  /** The conversation this run belongs to. @default the client's */
  threadId?: string | undefined;
  /** Only these tools, and what they depend on. */
  targetedTools?: readonly ToolReference[] | undefined;
  /** More private values, for this run only. */
  privateData?: PrivateDataInput | undefined;
  /** Whether the answer comes in pieces. @default true */
  streamResponse?: boolean | undefined;
  /** Whether status lines are sent. @default false */
  statusMessages?: boolean | undefined;
}

const nonBlank = z.string().trim().min(1);

const SharedShape = {
  model: nonBlank.optional(),
  reasoning: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  forceFinalTool: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).refine(isJson, NO_JSON).optional(),
  memoryConfig: MemoryConfigSchema.optional(),
  memoryAssetsConfig: z
    .strictObject({
      definedSkills: z.array(SkillInputSchema).readonly().optional(),
      boundResources: z.array(ResourceInputSchema).readonly().optional(),
      recallTurnActive: z.boolean().optional(),
    })
    .optional(),
  systemToolsConfig: z
    .strictObject({
      allowedTools: z.array(z.string()).readonly().optional(),
      approvedComposeTargets: z.union([z.array(z.string()).readonly(), z.boolean()]).optional(),
    })
    .optional(),
  orchestrationConfig: z
    .strictObject({
      mode: z.enum(['single_shot_dag', 'supervisor_loop', 'strict_user_dag', 'hybrid']).optional(),
      finalOutputMode: z.enum(['terminal', 'supervised', 'aggregator_only']).optional(),
      allowFollowupActions: z.boolean().optional(),
      stopStrategy: z
        .enum([
          'orchestrator_decides',
          'final_tool_completed',
          'objective_satisfied',
          'max_cycles',
          'blocker_detected',
        ])
        .optional(),
      allowReevaluateLoop: z.boolean().optional(),
      maxCycles: z.number().int().min(1).optional(),
    })
    .optional(),
  timeoutMs: z.number().positive().optional(),
  interruptService: z.custom<InterruptService>(isInterruptService, 'needs a function ask').optional(),
  piiWhitelist: z.instanceof(PIIWhitelist, { error: 'needs a PIIWhitelist' }).optional(),
} satisfies ShapeOf<SharedRunOptions>;

const SharedOptionsSchema = z.strictObject(SharedShape);
const RunOptionsSchema = z.strictObject({
  ...SharedShape,
  signal: z.instanceof(AbortSignal).optional(),
  threadId: nonBlank.optional(),
  targetedTools: z
    .array(z.custom<ToolReference>(isReference, 'needs a tool, a decorated method or a name'))
    .readonly()
    .optional(),
  privateData: z
    .custom<PrivateDataInput>(isObject, 'needs an object with the values by name, or a list of PrivateData')
    .optional(),
  streamResponse: z.boolean().optional(),
  statusMessages: z.boolean().optional(),
} satisfies ShapeOf<RunOptions>);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Checks what a scope says; unknown and malformed options are errors that name them and their owner. */
export function parseSharedOptions(options: SharedRunOptions, owner: string): SharedRunOptions {
  const parsed = checkOptions(SharedOptionsSchema, withoutAbsentOptions(options), owner);
  refuseReservedLabels(parsed.metadata);
  return parsed;
}

/** Checks what a call says and lays it over what its scope says, field by field. */
export function mergeRunOptions(scope: SharedRunOptions, call: RunOptions, owner: string): RunOptions {
  const given = checkOptions(RunOptionsSchema, withoutAbsentOptions(call ?? {}), owner);
  refuseReservedLabels(given.metadata);
  const isSet = ([, value]: [string, unknown]) => value !== undefined;
  return {
    ...scope,
    ...Object.fromEntries(Object.entries(given).filter(isSet)),
    metadata: { ...scope.metadata, ...given.metadata },
    memoryConfig: mergeMemoryConfig(scope.memoryConfig, given.memoryConfig),
    memoryAssetsConfig: mergeFields(scope.memoryAssetsConfig, given.memoryAssetsConfig),
    systemToolsConfig: mergeFields(scope.systemToolsConfig, given.systemToolsConfig),
    orchestrationConfig: mergeFields(scope.orchestrationConfig, given.orchestrationConfig),
  };
}

function mergeFields<Fields extends object>(
  scope: Fields | undefined,
  call: Fields | undefined,
): Fields | undefined {
  return scope || call ? Object.assign({}, scope, call) : undefined;
}

const CONFIGS: readonly string[] = [
  'memoryConfig',
  'memoryAssetsConfig',
  'systemToolsConfig',
  'orchestrationConfig',
] satisfies (keyof SharedRunOptions)[];

/** In a config, what is null or undefined is absent at every depth, and hides nothing of the scope's; in labels and private data it is a value. */
function withoutAbsentOptions(options: unknown): unknown {
  const given = withoutNulls(options);
  if (!isObject(given)) return given;
  const entries = Object.entries(Object(given));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, CONFIGS.includes(name) ? withoutAbsent(value) : value]),
  );
}

function withoutAbsent(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  const given = Object.entries(Object(value)).filter(([, field]) => (field ?? undefined) !== undefined);
  return Object.fromEntries(given.map(([name, field]) => [name, withoutAbsent(field)]));
}

/** Names that the orchestrator derives itself from other parts of a request. */
const RESERVED_LABELS: ReadonlySet<string> = new Set([
  'agent_id',
  'timeout',
  'maivn_sdk_delivery_mode',
  'client_timezone',
  'sdk_deployment_timezone',
  'allowed_system_tools',
  'approved_compose_artifact_targets',
  'allow_private_data_in_system_tools',
  'allow_private_data_placeholders_in_system_tools',
  'structured_output_intent',
  'structured_output_model',
  'orchestration_mode',
  'final_output_mode',
  'allow_followup_actions',
  'stop_strategy',
  'allow_reevaluate_loop',
  'max_orchestration_cycles',
  'swarm_id',
  'swarm_name',
  'swarm_description',
  'swarm_system_prompt',
  'agent_memory_level',
  'insight_sharing_scope',
  'organization_memory_policy',
  'organization_memory_policy_ceiling',
  'organization_settings',
  'organization_tier',
  'skill_sharing_scope',
  'subscription_tier',
  'swarm_agent_memory_level',
  'swarm_memory_level',
  'server_deployment_timezone',
]);

function refuseReservedLabels(metadata: Readonly<Record<string, unknown>> = {}): void {
  const reserved = Object.keys(metadata).filter(
    (name) => RESERVED_LABELS.has(name) || name.startsWith('memory_'),
  );
  if (reserved.length === 0) return;
  throw new ConfigurationError(`metadata must not have the reserved names ${reserved.join(', ')}.`, {
    code: 'CONFIG_RESERVED_METADATA',
    details: { reserved },
  });
}
