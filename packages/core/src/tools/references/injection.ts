import type * as z from 'zod';
import type { InterruptInputType } from '../../interrupts/input-type.js';
import type { InterruptHandler } from '../../interrupts/interrupt-service.js';
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

/** The argument is the answer of another agent in this run. */
export interface AgentInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'agent';
  /** The agent, or its name among the members of the swarm. */
  readonly agent: AgentReference | string;
  /** Creates the prompt for an agent that the planner has not called; by default the run's own prompt. */
  readonly prompt: ((args: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** The argument is a private value of the caller. */
export interface PrivateDataInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'private_data';
  readonly dataKey: string;
  readonly schema: z.ZodType | undefined;
}

/** The argument is a person's answer. */
export interface InterruptInjection<Value = unknown> extends Injects<Value> {
  readonly kind: 'interrupt';
  readonly prompt: string | ((args: Readonly<Record<string, unknown>>) => string);
  readonly inputType: InterruptInputType;
  readonly choices: readonly string[];
  readonly handler: InterruptHandler | undefined;
  readonly expiresInMs: number;
}

/** The source of an injected argument's value. */
export type Injection<Value = unknown> =
  | ToolInjection<Value>
  | AgentInjection<Value>
  | PrivateDataInjection<Value>
  | InterruptInjection<Value>;

/** Injected arguments by name. */
export type Injections = Readonly<Record<string, Injection>>;

/** The values of injected arguments by name. */
export type InjectedValues<Injected extends Injections> = {
  [Name in keyof Injected]: Injected[Name] extends { readonly [injectedType]?: () => infer Value }
    ? Value
    : never;
};

/** An agent, as dependencies refer to it. */
export interface AgentReference {
  readonly id: string;
  readonly name: string;
}

/** The result of an agent that was called as a tool. */
export interface AgentResult {
  readonly result: unknown;
  readonly response?: string;
  readonly assistant_id?: string;
  readonly token_usage?: Readonly<Record<string, unknown>>;
}
