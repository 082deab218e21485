import type * as z from 'zod';
import { requireOptions } from '../config/options.js';
import type { InterruptInputType } from '../interrupts/input-type.js';
import { annotate } from '../tools/annotations.js';
import { declarationError, parseName } from '../tools/declaration-error.js';
import {
  describeAgentDependency,
  describeInterruptDependency,
  describePrivateDataDependency,
  describeToolDependency,
  type AgentDependencyOptions,
  type AnswerOf,
  type InterruptOptions,
  type PrivateDataSelector,
} from '../tools/dependency.js';
import type {
  AgentInjection,
  AgentReference,
  AgentResult,
  Injection,
  InterruptInjection,
  PrivateDataInjection,
  ToolInjection,
} from '../tools/injection.js';
import type { ToolHandle, ToolMethod, ToolReference } from '../tools/tool-reference.js';
import { checkDecorated, type InjectingDecorator, type NotingDecorator } from './method-decorator.js';

/** Injects the latest result that a tool had in this run. With an argument name it decorates a method. */
export function dependsOnTool<Output, const Name extends string>(
  tool: ToolHandle<Output>,
  argName: Name,
): InjectingDecorator<Name, Output>;
export function dependsOnTool<Output, const Name extends string>(
  method: ToolMethod<Output>,
  argName: Name,
): InjectingDecorator<Name, Awaited<Output>>;
export function dependsOnTool(name: string, argName: string): NotingDecorator;
export function dependsOnTool<Output>(tool: ToolHandle<Output>): ToolInjection<Output>;
export function dependsOnTool<Output>(method: ToolMethod<Output>): ToolInjection<Awaited<Output>>;
export function dependsOnTool<Output = unknown>(name: string): ToolInjection<Output>;
export function dependsOnTool(tool: ToolReference, argName?: string): object {
  const injection = describeToolDependency(tool);
  return argName === undefined ? injection : injecting('dependsOnTool', argName, injection);
}

/** Injects what another agent answered. With an argument name it decorates a method. */
export function dependsOnAgent<const Name extends string>(
  agent: AgentReference | string,
  argName: Name,
  options?: AgentDependencyOptions,
): InjectingDecorator<Name, AgentResult>;
export function dependsOnAgent(
  agent: AgentReference | string,
  options?: AgentDependencyOptions,
): AgentInjection<AgentResult>;
export function dependsOnAgent(
  agent: AgentReference | string,
  second?: string | AgentDependencyOptions,
  third?: AgentDependencyOptions,
): object {
  if (typeof second !== 'string') return describeAgentDependency(agent, second);
  return injecting('dependsOnAgent', second, describeAgentDependency(agent, third));
}

/** Injects a private value, in this process only. With an argument name it decorates a method. */
export function dependsOnPrivateData<Schema extends z.ZodType, const Name extends string>(
  selector: PrivateDataSelector<Schema>,
  argName: Name,
): InjectingDecorator<Name, z.output<Schema>>;
export function dependsOnPrivateData<const Name extends string>(
  dataKey: string,
  argName: Name,
): InjectingDecorator<Name, string>;
export function dependsOnPrivateData<Schema extends z.ZodType>(
  selector: PrivateDataSelector<Schema>,
): PrivateDataInjection<z.output<Schema>>;
export function dependsOnPrivateData(dataKey: string): PrivateDataInjection<string>;
export function dependsOnPrivateData(selector: string | PrivateDataSelector, argName?: string): object {
  const injection = describePrivateDataDependency(selector);
  return argName === undefined ? injection : injecting('dependsOnPrivateData', argName, injection);
}

/** Injects what a person answers. With an `argName` it decorates a method. */
export function dependsOnInterrupt<
  const Name extends string,
  const Choice extends string = never,
  const Type extends InterruptInputType = [Choice] extends [never] ? 'text' : 'choice',
>(
  options: InterruptOptions<Type, Choice> & { argName: Name },
): InjectingDecorator<Name, AnswerOf<Type, Choice>>;
export function dependsOnInterrupt<
  const Choice extends string = never,
  const Type extends InterruptInputType = [Choice] extends [never] ? 'text' : 'choice',
>(
  options: InterruptOptions<Type, Choice> & { argName?: undefined },
): InterruptInjection<AnswerOf<Type, Choice>>;
export function dependsOnInterrupt(given: InterruptOptions & { argName?: string | undefined }): object {
  const { argName, ...options } = requireOptions(given, 'dependsOnInterrupt');
  const injection = describeInterruptDependency(options);
  return argName === undefined ? injection : injecting('dependsOnInterrupt', argName, injection);
}

function injecting(decorator: string, argName: string, injection: Injection): NotingDecorator {
  parseName(argName, `An argument of @${decorator}`);
  return (method, context) => {
    checkDecorated(decorator, context);
    const { inject } = annotate(method);
    if (inject.has(argName)) {
      throw declarationError(
        'TOOL_ARGUMENT_DECLARED_TWICE',
        `The argument '${argName}' of '${String(context.name)}' is injected twice; keep one.`,
        { argument: argName },
      );
    }
    inject.set(argName, injection);
  };
}
