import { invalidOption } from '../config/options.js';

/** When a hook runs: before or after what it watches. */
export type HookStage = 'before' | 'after';

/** What a hook watches. */
export type HookTargetType = 'tool' | 'agent' | 'swarm';

/** What a hook is told. Private values stand in it only as placeholders. */
export interface HookPayload {
  /** Whether it runs before or after. */
  readonly stage: HookStage;
  /** What it watches. */
  readonly targetType: HookTargetType;
  /** The tool event id, the agent's id or the swarm's name. */
  readonly targetId: string;
  /** The name of the tool, the agent or the swarm. */
  readonly targetName: string;
  /** The run, as `run.id` and `agent.runs` have it. */
  readonly runId: string;
  /** The call's arguments, injected ones included; empty for an agent or a swarm. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** After a call that returned. */
  readonly result?: unknown;
  /** After a call that failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Aborts when the run ends or is cancelled. */
  readonly signal: AbortSignal;
}

/** Watches; it cannot change or stop what it watches. What it throws is reported, never passed on. */
export type Hook = (payload: HookPayload) => unknown;

/** One hook, or several that run in this order (`after` hooks in the opposite one). */
export type HookInput = Hook | readonly Hook[];

/** How often the hooks of an agent or a swarm run: around each tool call, or once around the whole run or assignment. */
export type HookExecutionMode = 'tool' | 'scope' | 'agent';

/** The hooks attached to one thing. */
export interface Hooks {
  readonly before: readonly Hook[];
  readonly after: readonly Hook[];
}

/** No hooks. */
export const NO_HOOKS: Hooks = Object.freeze({ before: [], after: [] });

/** The two options as lists. What is no function is an error that names its option. */
export function parseHooks(before: HookInput | undefined, after: HookInput | undefined): Hooks {
  return { before: parseList(before, 'beforeExecute'), after: parseList(after, 'afterExecute') };
}

function parseList(input: HookInput | undefined, option: string): readonly Hook[] {
  const hooks: readonly Hook[] = typeof input === 'function' ? [input] : (input ?? []);
  if (Array.isArray(hooks) && hooks.every((hook) => typeof hook === 'function')) return [...hooks];
  throw invalidOption(option, 'takes a function or a list of functions', [option]);
}

/** How one hook went. */
export interface HookReport {
  readonly name: string;
  readonly stage: HookStage;
  readonly status: 'completed' | 'failed';
  /** The kind of error only: its text may hold anything. */
  readonly error: string | null;
  readonly elapsedMs: number;
  readonly targetType: HookTargetType;
  readonly targetId: string;
  readonly targetName: string;
}
