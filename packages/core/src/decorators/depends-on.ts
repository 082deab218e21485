import * as z from 'zod';
import { invalidOption, refuseUnknownOptions, requireOptions } from '../config/options.js';
import type { InterruptInputType } from '../interrupts/input-type.js';
import type { InterruptHandler } from '../interrupts/interrupt-service.js';
import { annotate } from '../tools/annotations.js';
import { declarationError, parseName } from '../tools/declaration-error.js';
import type {
  AgentInjection,
  AgentReference,
  AgentResult,
  Injection,
  InterruptInjection,
  PrivateDataInjection,
  ToolInjection,
} from '../tools/injection.js';
import { invalidInterrupt, parseQuestion, parseQuestionText } from '../tools/question.js';
import {
  parseReference,
  type ToolHandle,
  type ToolMethod,
  type ToolReference,
} from '../tools/tool-reference.js';
import { checkDecorated, type InjectingDecorator, type NotingDecorator } from './method-decorator.js';

/** What `dependsOnAgent` takes besides the agent. */
export interface AgentDependencyOptions {
  /** What the agent is asked when the planner has not asked it. @default what the run itself was asked */
  prompt?: ((args: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** A private value by its name and the schema its value must meet. */
export interface PrivateDataSelector<Schema extends z.ZodType = z.ZodType> {
  key: string;
  schema: Schema;
}

/** What `dependsOnInterrupt` takes. */
export interface InterruptOptions<
  Type extends InterruptInputType = InterruptInputType,
  Choice extends string = string,
> {
  /** The question; a function gets what the planner filled. */
  prompt: string | ((args: Readonly<Record<string, unknown>>) => string);
  /** @default 'choice' with choices, else 'text' */
  inputType?: Type | undefined;
  /** The allowed answers of a choice. */
  choices?: readonly Choice[] | undefined;
  /** Answers in this process, instead of a service or a person elsewhere. */
  handler?: InterruptHandler | undefined;
  /** How long the question stays open, in milliseconds. @default 900000 */
  expiresInMs?: number | undefined;
}

/** The type of an answer. */
export type AnswerOf<Type extends InterruptInputType, Choice extends string> = Type extends 'boolean'
  ? boolean
  : Type extends 'number'
    ? number
    : Type extends 'choice'
      ? Choice
      : string;

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
  const injection: ToolInjection = { kind: 'tool', tool: parseReference(tool) };
  return argName == null ? injection : injecting('dependsOnTool', argName, injection);
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
  const [argName, given] = typeof second === 'string' ? [second, third] : [undefined, second ?? third];
  const options = given ?? {};
  refuseUnknownOptions(options, ['prompt'], 'dependsOnAgent');
  if (!isAgentReference(agent)) {
    throw declarationError(
      'TOOL_INVALID_REFERENCE',
      `dependsOnAgent names an agent or an agent's name, not ${typeof agent}.`,
    );
  }
  const prompt = options.prompt ?? undefined;
  if (prompt !== undefined && typeof prompt !== 'function')
    throw invalidOption('dependsOnAgent', `takes a function as prompt, not ${typeof prompt}`, ['prompt']);
  const injection: AgentInjection = { kind: 'agent', agent, prompt };
  return argName === undefined ? injection : injecting('dependsOnAgent', argName, injection);
}

function isAgentReference(agent: unknown): boolean {
  if (typeof agent === 'string') return agent !== '';
  return typeof agent === 'object' && agent !== null && 'id' in agent && 'name' in agent;
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
  const injection = readSelector(selector);
  return argName == null ? injection : injecting('dependsOnPrivateData', argName, injection);
}

function readSelector(selector: string | PrivateDataSelector): PrivateDataInjection {
  if (typeof selector === 'object') refuseUnknownOptions(selector, ['key', 'schema'], 'dependsOnPrivateData');
  const key = typeof selector === 'string' ? selector : selector?.key;
  if (typeof key !== 'string' || key.trim() === '') {
    throw declarationError(
      'TOOL_INVALID_DATA_KEY',
      'dependsOnPrivateData needs the name of a private value.',
    );
  }
  const schema = typeof selector === 'string' ? undefined : (selector.schema ?? undefined);
  if (schema !== undefined && !(schema instanceof z.core.$ZodType)) {
    throw declarationError(
      'TOOL_INVALID_SCHEMA',
      `The schema of the private value '${key}' must be a schema of zod 4.`,
    );
  }
  return { kind: 'private_data', dataKey: key, schema };
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
  const injection = readInterrupt(options);
  return argName == null ? injection : injecting('dependsOnInterrupt', argName, injection);
}

function readInterrupt(options: InterruptOptions): InterruptInjection {
  refuseUnknownOptions(
    options,
    ['prompt', 'inputType', 'choices', 'handler', 'expiresInMs'],
    'dependsOnInterrupt',
  );
  const { prompt } = options;
  const handler = options.handler ?? undefined;
  if (handler !== undefined && typeof handler !== 'function')
    throw invalidInterrupt('dependsOnInterrupt takes a function as handler.');
  return {
    kind: 'interrupt',
    prompt:
      typeof prompt === 'function'
        ? (args) => parseQuestionText(prompt(args), 'prompt', 'dependsOnInterrupt')
        : parseQuestionText(prompt, 'prompt', 'dependsOnInterrupt'),
    handler,
    ...parseQuestion(options, 'dependsOnInterrupt'),
  };
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
