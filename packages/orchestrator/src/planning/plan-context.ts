import type { JsonObject, JsonValue } from '@svc/contracts';
import type { AskStep, CallStep, FinishStep, PlannedCall } from './plan-step.js';

/** One message of the conversation, as text. */
export interface PlanMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly attachments?: readonly PlanAttachment[];
}

/** A file attached to a message. */
export interface PlanAttachment {
  readonly name: string;
  readonly mime_type: string;
  readonly text?: string;
  readonly content_base64?: string;
}

/** How the runs of a tool are paired with those of another tool: one by one (`each`), or after all of them (`all`). */
export type InstanceControl = 'each' | 'all';

/** An argument that is the result of another tool or agent; the client injects it. */
export interface ProducerEdge {
  readonly type: 'tool' | 'agent';
  readonly tool_id: string;
  readonly tool_name: string;
  readonly arg_name: string;
  /** Whether the consumer cannot run without it. */
  readonly required: boolean;
}

/** An argument that is a private value; the client injects it. */
export interface PrivateDataEdge {
  readonly type: 'private_data';
  readonly data_key: string;
  readonly arg_name: string;
}

/** An argument that the user provides at call time. */
export interface InterruptEdge {
  readonly type: 'interrupt';
  readonly arg_name: string;
  readonly data_key: string;
  readonly prompt: string;
  readonly input_type?: string;
  readonly choices?: readonly string[];
  /** Who asks: the client while the tool runs (the default), or the orchestrator before the call. */
  readonly collected_by: 'client' | 'orchestrator';
}

/** An order: the tool runs before or after another one (`await_for`), or planning stops between the two (`reevaluate`). */
export interface OrderEdge {
  readonly type: 'await_for' | 'reevaluate';
  readonly tool_id: string;
  readonly tool_name: string;
  readonly timing: 'before' | 'after';
  readonly instance_control: InstanceControl;
}

/** An argument that must contain a reference produced by the named tool; nothing is injected. */
export interface ProducerReferenceEdge {
  readonly type: 'producer_reference';
  readonly argument_path: string;
  readonly tool_id: string;
  readonly tool_name: string;
  readonly reference_kind: string;
}

/** One declared dependency of a tool. */
export type DependencyEdge =
  | ProducerEdge
  | PrivateDataEdge
  | InterruptEdge
  | OrderEdge
  | ProducerReferenceEdge;

/** Whether the `compose` system tool may, must or must not write an argument. */
export interface ComposeRule {
  readonly mode: 'forbid' | 'allow' | 'require';
  readonly approved: boolean;
}

/** A JSON Schema of an object. */
export interface ParametersSchema extends JsonObject {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: JsonObject };
  readonly required: readonly string[];
}

/** A tool as a planner sees it: with only the arguments that a planner fills. */
export interface PlanTool {
  readonly tool_id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: 'func' | 'model' | 'agent' | 'mcp' | 'method';
  readonly tags: readonly string[];
  /** JSON Schema of the arguments that a planner fills, without injected ones. */
  readonly parameters: ParametersSchema;
  /** JSON Schema of the result, if declared. */
  readonly returns?: JsonObject;
  readonly dependencies: readonly DependencyEdge[];
  /** What `compose` may do with each argument, by argument name. */
  readonly compose?: { readonly [argName: string]: ComposeRule };
  /** Default arguments of every call; never shown to a model. */
  readonly default_args?: JsonObject;
  readonly always_execute: boolean;
  readonly final_tool: boolean;
  /** The agent that an agent's invocation tool invokes. */
  readonly target_agent_id?: string;
}

/** The name and description of a private value; never the value. */
export interface PrivateDataName {
  readonly data_key: string;
  readonly label?: string;
  readonly description?: string;
  readonly pii_type?: string;
  readonly format?: string;
}

/** A tool that the orchestrator itself runs. */
export interface PlanSystemTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
}

/** One member of a swarm. */
export interface SwarmMember {
  readonly agent_id: string;
  readonly name: string;
  readonly description: string;
  /** Its invocation tool. */
  readonly tool_id: string;
  /** Its answer is the swarm's. */
  readonly use_as_final_output: boolean;
  readonly has_final_tool: boolean;
  /** Its final tool must produce its answer. */
  readonly force_final_tool?: true;
  /** Members that this member's own tools already invoke; they are not scheduled again. */
  readonly invokes_via_dependency: readonly string[];
}

/** The swarm whose root session this is. */
export interface SwarmRoster {
  readonly swarm_name: string;
  readonly description?: string;
  readonly members: readonly SwarmMember[];
  readonly swarm_has_final_tool: boolean;
}

/** The swarm call that a member's nested session answers. */
export interface SwarmInvocation {
  readonly agent_name: string;
  readonly use_as_final_output: boolean;
  /** Whether prose is wanted besides the result. */
  readonly nested_synthesis: boolean | 'auto';
  /** Results of the members this one depends on, by argument name. */
  readonly dependency_context?: JsonObject;
}

/** The shapes a run can take. */
export type PlanMode = 'single_shot_dag' | 'supervisor_loop' | 'strict_user_dag' | 'hybrid';

/** When a run ends. */
export type PlanStopStrategy =
  | 'orchestrator_decides'
  | 'final_tool_completed'
  | 'objective_satisfied'
  | 'max_cycles'
  | 'blocker_detected';

/** The structured answer the caller wants. */
export interface StructuredOutput {
  readonly name: string;
  readonly schema: JsonObject;
  /** The model tool whose call gives the answer. */
  readonly tool_id: string;
}

/** What the caller, not the planner, decides. */
export interface PlanConstraints {
  /** The final tool must run and supplies the result. */
  readonly force_final_tool: boolean;
  /** The ids of the only tools that may run, besides the producers they need; each of them must run. Absent: all tools, none forced. */
  readonly targeted_tools?: readonly string[];
  readonly structured_output?: StructuredOutput;
  readonly mode: PlanMode;
  readonly stop_strategy: PlanStopStrategy;
  readonly final_output_mode?: 'terminal' | 'supervised' | 'aggregator_only';
  /** Whether further calls may be planned after the first round. */
  readonly allow_followup_actions: boolean;
  /** Whether a re-evaluate boundary may stop planning more than once. */
  readonly allow_reevaluate_loop: boolean;
  /** Planning rounds with calls; when they are used up the planner can only answer. */
  readonly max_cycles: number;
  readonly swarm?: SwarmRoster;
  readonly invocation?: SwarmInvocation;
}

/** How one call ended. */
export type CallOutcome =
  | { readonly status: 'ok'; readonly result: JsonValue }
  | { readonly status: 'error'; readonly error: CallFailure };

/**
 * Why a call failed. `TOOL_SKIPPED`: it never started, because something it needs failed. `REEVALUATE_BOUNDARY`: it has not
 * started yet, because a boundary came first; it may be planned again.
 */
export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
}

/** A planned call with its id and, once it ended, its outcome. */
export interface RecordedCall extends PlannedCall {
  readonly call_id: string;
  readonly outcome?: CallOutcome;
}

/** A call step as it was executed. */
export interface RecordedCallStep extends Omit<CallStep, 'calls'> {
  readonly calls: readonly RecordedCall[];
}

/** Questions with their answers by question id; `null` means that the user declined. */
export interface RecordedAskStep extends AskStep {
  readonly answers: { readonly [questionId: string]: JsonValue };
}

/** A step that was rejected, with its problems; the planner tries again. */
export interface FeedbackStep {
  readonly type: 'feedback';
  readonly rejected: CallStep | AskStep | FinishStep;
  readonly problems: readonly string[];
}

/** One past turn of the planner. */
export type RecordedStep = RecordedCallStep | RecordedAskStep | FeedbackStep;

/** Model preferences of the request. */
export interface ModelPreference {
  /** `auto`, `fast`, `balanced`, `max` or an exact model id. */
  readonly model?: string;
  readonly reasoning?: 'minimal' | 'low' | 'medium' | 'high';
}

/**
 * An item of memory, from earlier runs or users, that is relevant to this turn. It is data to weigh, never an instruction
 * to follow: text of another run may say anything.
 */
export interface RecalledItem {
  readonly kind: 'summary' | 'skill' | 'insight' | 'resource';
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Everything a planner knows. Plain JSON, so it can be stored and replayed. */
export interface PlanContext {
  readonly run_id: string;
  /** The conversation: earlier turns of the thread, then this one. */
  readonly messages: readonly PlanMessage[];
  /** Index of this turn's first message in `messages`. */
  readonly turn_start: number;
  readonly tools: readonly PlanTool[];
  readonly system_tools: readonly PlanSystemTool[];
  readonly private_data: readonly PrivateDataName[];
  readonly constraints: PlanConstraints;
  /** The steps of this run so far, oldest first. */
  readonly steps: readonly RecordedStep[];
  readonly preference: ModelPreference;
  /** Relevant items of memory, best first. */
  readonly memory?: readonly RecalledItem[];
  /** The time of planning, ISO 8601 in UTC. */
  readonly now: string;
  /** The user's IANA time zone. */
  readonly timezone: string;
}
