import type * as z from 'zod';
import type { InterruptInputType } from '../interrupts/input-type.js';
import type { InterruptHandler } from '../interrupts/interrupt-service.js';
import type { ToolReference } from './tool-reference.js';

/** Carries the type of the injected value; it has no value at run time. */
declare const injectedType: unique symbol;

interface Injects<Value> {
  readonly [injectedType]?: () => Value;
}

/** The argument is the latest result of another tool in this run. */
export interface ToolInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'tool';
  readonly tool: ToolReference;
}

/** The argument is what another agent answered in this run. */
export interface AgentInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'agent';
  /** The agent, or its name among the members of the swarm. */
  readonly agent: AgentReference | string;
  /** What the agent is asked when the planner has not asked it; by default what the run was asked. */
  readonly prompt: ((args: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** The argument is a private value of the caller's. */
export interface PrivateDataInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'private_data';
  readonly dataKey: string;
  readonly schema: z.ZodType | undefined;
}

/** The argument is what a person answers. */
export interface InterruptInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'interrupt';
  readonly prompt: string | ((args: Readonly<Record<string, unknown>>) => string);
  readonly inputType: InterruptInputType;
  readonly choices: readonly string[];
  readonly handler: InterruptHandler | undefined;
  readonly expiresInMs: number;
}

/** Where the value of an injected argument comes from. */
export type Injection<Value = unknown> =
  | ToolInjection<Value>
  | AgentInjection<Value>
  | PrivateDataInjection<Value>
  | InterruptInjection<Value>;

/** Injected arguments by name. */
export type Injections = Readonly<Record<string, Injection>>;

/** The values of injected arguments by name. */
export type InjectedValues<Given extends Injections> = {
  [Name in keyof Given]: Given[Name] extends { readonly [injectedType]?: () => infer Value } ? Value : never;
};

/** An agent as a dependency names it. */
export interface AgentReference {
  readonly id: string;
  readonly name: string;
}

/** What an agent that was called as a tool gives back. */
export interface AgentResult {
  readonly result: unknown;
  readonly response?: string;
  readonly assistant_id?: string;
  readonly token_usage?: Readonly<Record<string, unknown>>;
}
