import * as z from 'zod';
import { PIIWhitelist } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { checkOptions, withoutNulls, type ShapeOf } from '../config/options.js';
import { isInterruptService, type InterruptService } from '../interrupts/interrupt-service.js';
import { isJson, NO_JSON } from '../is-json.js';
import { isRecord } from '../is-record.js';
import { ResourceInputSchema, type ResourceInput } from '../memory/resource-input.js';
import { SkillInputSchema, type SkillInput } from '../memory/skill-input.js';
import type { PrivateDataInput } from '../privacy/private-data-map.js';
import { isReference, type ToolReference } from '../tools/references/tool-reference.js';
import { MemoryConfigSchema, mergeMemoryConfig, type MemoryConfig } from './memory-config.js';

/** Which of the orchestrator's own tools may be used. */
export interface SystemToolsConfig {
  /** The names of the allowed tools; an empty list disables all. */
  allowedTools?: readonly string[] | undefined;
  /** The arguments that the `compose` tool may write: `tool.argument`, `tool.*` or `*`; `true` allows all. */
  approvedComposeTargets?: readonly string[] | boolean | undefined;
}

/** Settings for how a run is planned and when it stops. */
export interface OrchestrationConfig {
  /** The steps that the planner may take; see the guide on planning. @default 'supervisor_loop' */
  mode?: 'single_shot_dag' | 'supervisor_loop' | 'strict_user_dag' | 'hybrid' | undefined;
  /**
   * Whether the result of the final tool or member ends the run, or the planner looks at it first (`supervised`).
   * @default it ends the run
   */
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
  /** Whether a re-evaluate boundary stops planning each time, or only once. @default true */
  allowReevaluateLoop?: boolean | undefined;
  /** The maximum number of planning cycles, at least 1; it can only lower the orchestrator's own limit. */
  maxCycles?: number | undefined;
}

/** Skills and resources sent with a run. */
export interface MemoryAssetsConfig {
  /** Skills that the run can use; they are stored. */
  definedSkills?: readonly SkillInput[] | undefined;
  /** Files and texts that the run can use; they are stored. */
  boundResources?: readonly ResourceInput[] | undefined;
  /** Whether the run is asked to recall what it needs before anything else. */
  recallTurnActive?: boolean | undefined;
}

/** The reasoning effort of the models. */
export type Reasoning = 'minimal' | 'low' | 'medium' | 'high';

/** Run options of both an agent or swarm and a call; the call's take precedence, field by field. */
export interface SharedRunOptions {
  /** A model tier (`auto`, `fast`, `balanced`, `max`) or the exact id of a model. */
  model?: string | undefined;
  /** The reasoning effort of the models. @default the model's own */
  reasoning?: Reasoning | undefined;
  /** Whether the answer must come from the final tool. @default false */
  forceFinalTool?: boolean | undefined;
  /**
   * Labels for the orchestrator's records. Names that begin with `memory_`, and those of settings and limits that a request
   * has elsewhere, such as `agent_id`, `timeout` and `swarm_name`, are refused with `CONFIG_RESERVED_METADATA`, which lists
   * them.
   */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Whether and how the run uses memory. Merged field by field at every depth. */
  memoryConfig?: MemoryConfig | undefined;
  /** Skills and resources sent with the run. */
  memoryAssetsConfig?: MemoryAssetsConfig | undefined;
  /** Which of the orchestrator's own tools may be used. */
  systemToolsConfig?: SystemToolsConfig | undefined;
  /** How the run is planned and when it stops. */
  orchestrationConfig?: OrchestrationConfig | undefined;
  /** The time limit of one run, in milliseconds. @default the client's */
  timeoutMs?: number | undefined;
  /** Answers questions without their own handler. @default the service of the process */
  interruptService?: InterruptService | undefined;
  /** Justified exceptions from redaction. */
  piiWhitelist?: PIIWhitelist | undefined;
}

/** Options of one call of `invoke`, `stream` or `batch`. */
export interface RunOptions extends SharedRunOptions {
  /** Aborts the run: its HTTP requests, tools, questions and the orchestrator's session. */
  signal?: AbortSignal | undefined;
  /** The conversation that the run belongs to. @default the client's */
  threadId?: string | undefined;
  /** Limits the run to these tools and their dependencies. */
  targetedTools?: readonly ToolReference[] | undefined;
  /** Additional private values, for this run only. */
  privateData?: PrivateDataInput | undefined;
  /** Whether the answer is streamed in pieces. @default true */
  streamResponse?: boolean | undefined;
  /** Whether status messages are sent. @default false */
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
  interruptService: z.custom<InterruptService>(isInterruptService, 'must have an ask() method').optional(),
  piiWhitelist: z.instanceof(PIIWhitelist, { error: 'must be a PIIWhitelist' }).optional(),
} satisfies ShapeOf<SharedRunOptions>;

const SharedOptionsSchema = z.strictObject(SharedShape);
const RunOptionsSchema = z.strictObject({
  ...SharedShape,
  signal: z.instanceof(AbortSignal).optional(),
  threadId: nonBlank.optional(),
  targetedTools: z
    .array(z.custom<ToolReference>(isReference, 'must be a tool, a decorated method or a name'))
    .readonly()
    .optional(),
  privateData: z
    .custom<PrivateDataInput>(
      (value) => isRecord(value) || Array.isArray(value),
      'must be an object of values by name, or an array of PrivateData',
    )
    .optional(),
  streamResponse: z.boolean().optional(),
  statusMessages: z.boolean().optional(),
} satisfies ShapeOf<RunOptions>);

/** Validates the options of a scope, which has `others` too; the error names unknown and invalid options and their owner. */
export function parseSharedOptions(
  options: SharedRunOptions,
  owner: string,
  others: readonly string[],
): SharedRunOptions {
  const parsed = checkOptions(SharedOptionsSchema, withoutAbsentOptions(options), owner, others);
  refuseReservedLabels(parsed.metadata);
  return parsed;
}

/** Validates the options of a call and merges them over its scope's, field by field. */
export function mergeRunOptions(scope: SharedRunOptions, call: RunOptions, owner: string): RunOptions {
  const own = checkOptions(RunOptionsSchema, withoutAbsentOptions(call ?? {}), owner);
  refuseReservedLabels(own.metadata);
  const isSet = ([, value]: [string, unknown]) => value !== undefined;
  return {
    ...scope,
    ...Object.fromEntries(Object.entries(own).filter(isSet)),
    metadata: { ...scope.metadata, ...own.metadata },
    memoryConfig: mergeMemoryConfig(scope.memoryConfig, own.memoryConfig),
    memoryAssetsConfig: mergeFields(scope.memoryAssetsConfig, own.memoryAssetsConfig),
    systemToolsConfig: mergeFields(scope.systemToolsConfig, own.systemToolsConfig),
    orchestrationConfig: mergeFields(scope.orchestrationConfig, own.orchestrationConfig),
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

/**
 * Removes null and undefined from configs at every depth, so that they do not hide the scope's fields; in metadata and
 * private data they are values.
 */
function withoutAbsentOptions(options: unknown): unknown {
  const present = withoutNulls(options);
  if (!isRecord(present)) return present;
  const entries = Object.entries(present);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, CONFIGS.includes(name) ? withoutAbsent(value) : value]),
  );
}

function withoutAbsent(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, field]) => (field ?? undefined) !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutAbsent(field)]));
}

/** Names that the orchestrator derives from other parts of a request. */
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
  throw new ConfigurationError(`metadata must not contain the reserved names ${reserved.join(', ')}.`, {
    code: 'CONFIG_RESERVED_METADATA',
    details: { reserved },
  });
}
