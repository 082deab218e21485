import { invalidOption } from '../config/options.js';
import { isArrayOf } from '../is-array-of.js';

/** When a hook runs: before or after its target. */
export type HookStage = 'before' | 'after';

/** The type of a hook's target. */
export type HookTargetType = 'tool' | 'agent' | 'swarm';

/** The argument of a hook. It contains placeholders instead of private values. */
export interface HookPayload {
  /** Whether the hook runs before or after its target. */
  readonly stage: HookStage;
  /** The type of the target. */
  readonly targetType: HookTargetType;
  /** The tool event id, the agent's id or the swarm's name. */
  readonly targetId: string;
  /** The name of the tool, the agent or the swarm. */
  readonly targetName: string;
  /** The id of the run, as in `run.id` and `agent.runs`. */
  readonly runId: string;
  /** The arguments of the call, including injected ones; empty for an agent or a swarm. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The result, after a call that succeeded. */
  readonly result?: unknown;
  /** The error, after a call that failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Aborts when the run ends or is cancelled. */
  readonly signal: AbortSignal;
}

/** Observes its target, which it cannot change or stop. An error that it throws is reported, never passed on. */
export type Hook = (payload: HookPayload) => unknown;

/** One hook, or several that run in this order (`after` hooks in reverse order). */
export type HookInput = Hook | readonly Hook[];

/** How often the hooks of an agent or a swarm run: around each tool call, or once around the whole run or assignment. */
export type HookExecutionMode = 'tool' | 'scope' | 'agent';

/** The hooks of one target. */
export interface Hooks {
  readonly before: readonly Hook[];
  readonly after: readonly Hook[];
}

/** The name of the hooks that a scope runs around each call of its tools: a symbol, as in `scope-internals.ts`. */
export const hooksOfCalls: unique symbol = Symbol('svc.hooksOfCalls');

/** No hooks. */
export const NO_HOOKS: Hooks = Object.freeze({ before: [], after: [] });

/** Returns the two options as lists. The error for anything but a function names the option. */
export function parseHooks(before: HookInput | undefined, after: HookInput | undefined): Hooks {
  return { before: parseList(before, 'beforeExecute'), after: parseList(after, 'afterExecute') };
}

function parseList(input: HookInput | undefined, option: string): readonly Hook[] {
  const hooks: readonly Hook[] = typeof input === 'function' ? [input] : (input ?? []);
  if (isArrayOf(hooks, (hook) => typeof hook === 'function')) return [...hooks];
  throw invalidOption(option, 'must be a function or an array of functions', [option]);
}

/** The outcome of one hook. */
export interface HookReport {
  readonly name: string;
  readonly stage: HookStage;
  readonly status: 'completed' | 'failed';
  /** Only the name of the error: its message may contain anything. */
  readonly error: string | null;
  readonly elapsedMs: number;
  readonly targetType: HookTargetType;
  readonly targetId: string;
  readonly targetName: string;
}
