import type * as z from 'zod';
import type { JsonObject } from '@svc/contracts';
import type { HookInput } from '../hooks/hook.js';
import type { ComposePolicy } from './compose-policy.js';
import type { InjectedValues, Injections } from './injection.js';
import type { OrderControl } from './order-control.js';
import type { PermissionName } from './permissions.js';
import type { ToolContext } from './tool.js';

/** What any tool can be told, however it is declared. */
export interface ToolTraits {
  /** What the planner reads to choose it. */
  description: string;
  /** What kinds of work it does; the planner gets them as tags. Writing ones keep receipts. */
  permissions?: Iterable<PermissionName> | undefined;
  /** What planners, and the filters of toolsets, are told besides. */
  tags?: readonly string[] | undefined;
  /** Passed on to the orchestrator. */
  metadata?: JsonObject | undefined;
  /** It is planned at least once in every run. @default false */
  alwaysExecute?: boolean | undefined;
  /** Its result is the run's result; at most one in a scope. @default false */
  finalTool?: boolean | undefined;
  /** Running it twice does no harm, so that an unknown outcome may be tried again. @default false */
  idempotent?: boolean | undefined;
  /** How long one call may take, in milliseconds. @default the scope's toolTimeoutMs */
  timeoutMs?: number | undefined;
  /** The largest result that may leave the process, in bytes of JSON. @default 1048576 */
  maxResultBytes?: number | undefined;
  /** Per argument, how the orchestrator's `compose` tool may write it. */
  composePolicies?: Readonly<Record<string, ComposePolicy>> | undefined;
  /** Watch each call from before. */
  beforeExecute?: HookInput | undefined;
  /** Watch each call from after. */
  afterExecute?: HookInput | undefined;
}

/** What `toolify` takes. */
export interface ToolOptions<
  Input extends z.ZodObject = z.ZodObject,
  Given extends Injections = Injections,
  Output extends z.ZodType = z.ZodType,
> extends ToolTraits {
  /** Letters, digits and underscores; unique in its scope. */
  name: string;
  /** What the planner fills. @default no arguments */
  input?: Input | undefined;
  /** What it returns; checked when it returns. */
  output?: Output | undefined;
  /** Arguments that the planner does not see, by name. */
  inject?: (Given & Record<keyof Given & NamedKeys<z.output<Input>>, never>) | undefined;
  /** Its place among the other tools. */
  order?: readonly OrderControl[] | undefined;
}

type Flat<T> = { [Key in keyof T]: T[Key] };

/** `z.object({})` says that any key is `never`; here it declares no argument. A loose object has any key besides its own. */
type Declared<T> = string extends keyof T ? ([T[keyof T]] extends [never] ? NoInjections : T) : T;

/** The keys that a type names, without "any other". */
export type NamedKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/** The one object a tool's function gets: what the planner filled, checked, and what was injected. */
export type ToolArguments<Input extends z.ZodObject, Given extends Injections> = Flat<
  Declared<z.output<Input>> & InjectedValues<Given>
>;

/** A tool's own code. */
export type ToolFunction<Input extends z.ZodObject, Given extends Injections, Result> = (
  args: ToolArguments<Input, Given>,
  context: ToolContext,
) => Result;

/**
 * A tool's own code where `output` says what it returns. The condition is always true; by it the compiler knows `Output`
 * when it reads what the function returns, so that `{ status: 'paid' }` is no text but one of the schema's.
 */
export type CheckedFunction<Input extends z.ZodObject, Given extends Injections, Output extends z.ZodType> = [
  Output,
] extends [unknown]
  ? ToolFunction<Input, Given, z.input<Output> | Promise<z.input<Output>>>
  : never;

/** No arguments for the planner to fill. */
export type NoInput = z.ZodObject<Record<never, never>>;
/** No injected arguments. */
export type NoInjections = Record<never, never>;
