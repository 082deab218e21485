import type * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import type { HookInput } from '../../hooks/hook.js';
import type { ComposePolicy } from './compose-policy.js';
import type { InjectedValues, Injections } from '../references/injection.js';
import type { OrderControl } from '../references/order-control.js';
import type { PermissionName } from './permissions.js';
import type { ToolContext } from './tool.js';

/** Options of every tool, however it is declared. */
export interface ToolTraits {
  /** What the tool does; the planner chooses by it. */
  description: string;
  /** The kinds of work that the tool does; the planner sees them as tags. Calls of writing tools get receipts. */
  permissions?: Iterable<PermissionName> | undefined;
  /** Tags for planners and for toolset filters. */
  tags?: readonly string[] | undefined;
  /** Metadata that is passed on to the orchestrator. */
  metadata?: JsonObject | undefined;
  /** Whether every run plans the tool at least once. @default false */
  alwaysExecute?: boolean | undefined;
  /** Whether its result is the run's result; at most one tool of an agent or a swarm may set it. @default false */
  finalTool?: boolean | undefined;
  /** Whether running it twice is harmless, so that a call with an unknown outcome may be retried. @default false */
  idempotent?: boolean | undefined;
  /** The time limit of one call, in milliseconds. @default the toolTimeoutMs of the agent or swarm */
  timeoutMs?: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. @default 1048576 */
  maxResultBytes?: number | undefined;
  /** By argument, how the orchestrator's `compose` tool may write it. */
  composePolicies?: Readonly<Record<string, ComposePolicy>> | undefined;
  /** Hooks that run before each call. */
  beforeExecute?: HookInput | undefined;
  /** Hooks that run after each call. */
  afterExecute?: HookInput | undefined;
}

/** Options of `toolify`. */
export interface ToolOptions<
  Input extends z.ZodObject = z.ZodObject,
  Injected extends Injections = Injections,
  Output extends z.ZodType = z.ZodType,
> extends ToolTraits {
  /** The name: letters, digits and underscores, unique in its agent or swarm. */
  name: string;
  /** The arguments that the planner fills. @default no arguments */
  input?: Input | undefined;
  /** The schema of the result, validated when the tool returns. */
  output?: Output | undefined;
  /** Injected arguments by name; the planner does not see them. */
  inject?: (Injected & Record<keyof Injected & NamedKeys<z.output<Input>>, DeclaredTwice>) | undefined;
  /** Constraints on its order among the other tools. */
  order?: readonly OrderControl[] | undefined;
}

/** Appears in the compiler's message if an injected argument is in the input too. */
interface DeclaredTwice {
  readonly argumentDeclaredTwice: 'injected and in the input';
}

type Flat<T> = { [Key in keyof T]: T[Key] };

/**
 * `z.object({})` infers `never` for any key; here it declares no arguments. A loose object allows any key besides its
 * own.
 */
type Declared<T> = string extends keyof T ? ([T[keyof T]] extends [never] ? NoInjections : T) : T;

/** The keys that a type names, without its index signature. */
export type NamedKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/** The arguments of a tool's function, in one object: the planner's, validated, and the injected ones. */
export type ToolArguments<Input extends z.ZodObject, Injected extends Injections> = Flat<
  Declared<z.output<Input>> & InjectedValues<Injected>
>;

/** The function of a tool. */
export type ToolFunction<Input extends z.ZodObject, Injected extends Injections, Result> = (
  args: ToolArguments<Input, Injected>,
  context: ToolContext,
) => Result;

/**
 * The function of a tool with an `output` schema. The condition is always true; it makes the compiler know `Output` before
 * it infers the function's result, so that `{ status: 'paid' }` is a literal of the schema instead of a string.
 */
export type CheckedFunction<
  Input extends z.ZodObject,
  Injected extends Injections,
  Output extends z.ZodType,
> = [Output] extends [unknown]
  ? ToolFunction<Input, Injected, z.input<Output> | Promise<z.input<Output>>>
  : never;

/** Exists only as a type. */
declare const unchecked: unique symbol;

/**
 * The function of a tool whose result no schema describes. The compiler first looks for an overload of which the function
 * is a subtype, and the optional field prevents that: otherwise it would prefer this form for a function with an `output`
 * schema that leaves out a field with a default, and infer the type of the result without that field.
 */
export type UncheckedFunction<Input extends z.ZodObject, Injected extends Injections, Result> = ToolFunction<
  Input,
  Injected,
  Result
> & { readonly [unchecked]?: never };

/** No arguments for the planner to fill. */
export type NoInput = z.ZodObject<Record<never, never>>;
/** No injected arguments. */
export type NoInjections = Record<never, never>;
