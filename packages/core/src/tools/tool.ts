import type { JsonObject } from '@svc/contracts';
import type { Hooks } from '../hooks/hook.js';
import type { ComposePolicy } from './compose-policy.js';
import type { Injection } from './injection.js';
import type { OrderControl } from './order-control.js';
import type { PermissionSet } from './permissions.js';
import type { ToolHandle } from './tool-reference.js';
import type { ToolLogLine, ToolProgress, ToolQuestion } from './tool-reports.js';

const brand: unique symbol = Symbol('svc.tool');

/** What a tool is to the orchestrator. */
export type ToolKind = 'func' | 'method' | 'model' | 'mcp' | 'agent';

/** What a running tool is given besides its arguments. */
export interface ToolContext {
  /** Aborts when the run ends, is cancelled, or the tool's time is up. */
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly sessionId: string;
  /** The id of this invocation, as the events carry it. */
  readonly toolEventId: string;
  readonly toolName: string;
  /** Shows the run's readers how far the call is: another `tool_event` of this invocation, with `tool.progress`. */
  reportProgress(progress: ToolProgress): Promise<void>;
  /** Shows the run's readers a line about the call: a custom event `tool_log`. */
  reportLog(line: ToolLogLine): Promise<void>;
  /** Asks a person, as an interrupt of the run. Rejects when nobody answers in time or can be asked at all. */
  ask(question: ToolQuestion): Promise<unknown>;
}

/** A value, or what is wrong with it: places and rules, never the values themselves. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; issues: readonly InputIssue[] };

/** One thing wrong with an argument. */
export interface InputIssue {
  readonly path: string;
  readonly problem: string;
}

/** A tool, however it was declared. Immutable; `agent.toolify` and `toolify` make it. */
export interface Tool<Output = unknown> extends ToolHandle<Output> {
  readonly [brand]: true;
  readonly description: string;
  readonly kind: ToolKind;
  readonly tags: readonly string[];
  readonly permissions: PermissionSet;
  readonly metadata: JsonObject;
  readonly composePolicies: ReadonlyMap<string, Required<ComposePolicy>>;
  /** It is planned at least once in every run. */
  readonly alwaysExecute: boolean;
  /** Its result is the run's result. */
  readonly finalTool: boolean;
  /** Running it twice does no harm, so an unknown outcome may be tried again. */
  readonly idempotent: boolean;
  /** How long one call may take, in milliseconds; absent means the scope's limit. */
  readonly timeoutMs: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. */
  readonly maxResultBytes: number;
  /** What the planner fills, as JSON Schema. Injected arguments are not in it. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly inject: ReadonlyMap<string, Injection>;
  /** What an override fills where the planner gives nothing, not checked yet; absent without one. */
  readonly defaultArgs?: Readonly<Record<string, unknown>>;
  readonly order: readonly OrderControl[];
  readonly hooks: Hooks;
  /** Checks what the planner filled; `injected` matters only where an override injects an argument of the input. */
  parseInput(
    args: Readonly<Record<string, unknown>>,
    injected: Readonly<Record<string, unknown>>,
  ): Promise<Parsed<Readonly<Record<string, unknown>>>>;
  /** Runs with checked and injected arguments. */
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<unknown>;
}

/** The parts of a tool, before it is frozen. */
export type ToolParts = Omit<Tool, typeof brand>;

/** Freezes the parts of a tool. */
export function createTool(parts: ToolParts): Tool {
  return Object.freeze({ ...parts, [brand]: true as const });
}

/** Whether this is a tool made by the SDK. */
export function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && brand in value;
}
