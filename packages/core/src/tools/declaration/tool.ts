import type { JsonObject } from '@svc/contracts';
import type { Hooks } from '../../hooks/hook.js';
import type { ComposePolicy } from './compose-policy.js';
import type { Injection } from '../references/injection.js';
import type { OrderControl } from '../references/order-control.js';
import type { PermissionSet } from './permissions.js';
import type { ToolHandle } from '../references/tool-reference.js';
import type { ToolLogLine, ToolProgress, ToolQuestion } from '../reports/tool-reports.js';

const brand: unique symbol = Symbol('svc.tool');

/** The kind of a tool, for the orchestrator. */
export type ToolKind = 'func' | 'method' | 'model' | 'mcp' | 'agent';

/** The second argument of a tool's function: the context of the call. */
export interface ToolContext {
  /** Aborts when the run ends or is cancelled, or the tool's time limit is reached. */
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly sessionId: string;
  /** The id of this invocation, as in the events. */
  readonly toolEventId: string;
  readonly toolName: string;
  /** Reports progress to readers of the run, as another `tool_event` of this invocation with `tool.progress`. */
  reportProgress(progress: ToolProgress): Promise<void>;
  /** Reports a log line to readers of the run, as a custom event `tool_log`. */
  reportLog(line: ToolLogLine): Promise<void>;
  /** Asks a person, as an interrupt of the run. Rejects if nobody answers in time or nobody can be asked. */
  ask(question: ToolQuestion): Promise<unknown>;
}

/** A parsed value, or its issues: places and rules, never the values themselves. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; issues: readonly InputIssue[] };

/** One problem of an argument. */
export interface InputIssue {
  readonly path: string;
  readonly problem: string;
}

/** A tool, however it was declared. It is immutable; `agent.toolify` and `toolify` create it. */
export interface Tool<Output = unknown> extends ToolHandle<Output> {
  readonly [brand]: true;
  readonly description: string;
  readonly kind: ToolKind;
  readonly tags: readonly string[];
  readonly permissions: PermissionSet;
  readonly metadata: JsonObject;
  readonly composePolicies: ReadonlyMap<string, Required<ComposePolicy>>;
  /** Whether every run plans it at least once. */
  readonly alwaysExecute: boolean;
  /** Whether its result is the run's result. */
  readonly finalTool: boolean;
  /** Whether running it twice is harmless, so that a call with an unknown outcome may be retried. */
  readonly idempotent: boolean;
  /** The time limit of one call, in milliseconds; absent means the limit of the agent or swarm. */
  readonly timeoutMs: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. */
  readonly maxResultBytes: number;
  /** The arguments that the planner fills, as JSON Schema, without injected ones. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly inject: ReadonlyMap<string, Injection>;
  /** The default arguments of an override, not validated yet; absent without one. */
  readonly defaultArgs?: Readonly<Record<string, unknown>>;
  readonly order: readonly OrderControl[];
  readonly hooks: Hooks;
  /** Validates the planner's arguments; `injected` matters only if an override injects an argument of the input. */
  parseInput(
    args: Readonly<Record<string, unknown>>,
    injected: Readonly<Record<string, unknown>>,
  ): Promise<Parsed<Readonly<Record<string, unknown>>>>;
  /** Runs the tool with validated and injected arguments. */
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<unknown>;
}

/** The parts of a tool, before it is frozen. */
export type ToolParts = Omit<Tool, typeof brand>;

/** Freezes the parts of a tool. */
export function createTool(parts: ToolParts): Tool {
  return Object.freeze({ ...parts, [brand]: true as const });
}

/** Whether a value is a tool created by the SDK. */
export function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && brand in value;
}
