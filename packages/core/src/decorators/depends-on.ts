import type * as z from 'zod';
import { invalidValue, kindOf, refuseUnknownOptions, requireOptions } from '../config/options.js';
import type { InterruptInputType } from '../interrupts/input-type.js';
import type { InterruptHandler } from '../interrupts/interrupt-service.js';
import { annotate } from '../tools/declaration/annotations.js';
import { requireSchema } from '../tools/declaration/require-schema.js';
import { declarationError, parseName } from '../tools/declaration-error.js';
import type {
  AgentInjection,
  AgentReference,
  AgentResult,
  Injection,
  InterruptInjection,
  PrivateDataInjection,
  ToolInjection,
} from '../tools/references/injection.js';
import { invalidInterrupt, parseQuestion, parseQuestionText } from '../tools/reports/question.js';
import {
  parseReference,
  type ToolHandle,
  type ToolMethod,
  type ToolReference,
} from '../tools/references/tool-reference.js';
import { checkDecorated, type InjectingDecorator, type NotingDecorator } from './method-decorator.js';

/** Options of `dependsOnAgent`. */
export interface AgentDependencyOptions {
  /**
   * Creates the prompt from the planner's arguments, if the planner has not called the agent.
   * @default the run's own
   * prompt
   */
  prompt?: ((args: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** The name of a private value and the schema that it must match. */
export interface PrivateDataSelector<Schema extends z.ZodType = z.ZodType> {
  /** The name of the private value. */
  key: string;
  /** The schema of the value. */
  schema: Schema;
}

/** The types of answers that are not one of a list of choices. */
type FreeInputType = Exclude<InterruptInputType, 'choice'>;

/** Options of `dependsOnInterrupt`. */
export type InterruptOptions<
  Type extends FreeInputType = FreeInputType,
  Choice extends string = string,
> = QuestionOptions &
  (
    | {
        /** The type of the answer. @default 'choice' with choices, otherwise 'text' */
        inputType?: 'choice' | undefined;
        /** The allowed answers of a choice. */
        choices: readonly Choice[];
      }
    | { inputType?: Type | undefined; choices?: undefined }
  );

interface QuestionOptions {
  /** The question, or a function that creates it from the planner's arguments. */
  prompt: string | ((args: Readonly<Record<string, unknown>>) => string);
  /** Answers in this process, instead of a service or `run.answer()`. */
  handler?: InterruptHandler | undefined;
  /** How long the question stays open, in milliseconds. @default 900000 */
  expiresInMs?: number | undefined;
}

/** The type of an answer. */
export type AnswerOf<Type extends FreeInputType, Choice extends string> = [Type] extends ['boolean']
  ? boolean
  : [Type] extends ['number']
    ? number
    : [Choice] extends [never]
      ? string
      : Choice;

/**
 * Injects the latest result of a tool in this run. With an argument name, it is a method decorator. The type of a
 * referenced method's result is what it returns, even if its `@toolOutput` transforms it.
 */
export function dependsOnTool<Output, const Name extends string>(
  tool: ToolHandle<Output>,
  argName: Name,
): InjectingDecorator<Name, Output>;
export function dependsOnTool<Output, const Name extends string>(
  method: ToolMethod<Output>,
  argName: Name,
): InjectingDecorator<Name, Awaited<Output>>;
export function dependsOnTool<const Name extends string>(
  name: string,
  argName: Name,
): InjectingDecorator<Name, never>;
export function dependsOnTool<Output>(tool: ToolHandle<Output>): ToolInjection<Output>;
export function dependsOnTool<Output>(method: ToolMethod<Output>): ToolInjection<Awaited<Output>>;
export function dependsOnTool<Output = unknown>(name: string): ToolInjection<Output>;
export function dependsOnTool(tool: ToolReference, argName?: string): object {
  const injection: ToolInjection = { kind: 'tool', tool: parseReference(tool) };
  return argName == null ? injection : injectingDecorator('dependsOnTool', argName, injection);
}

/** Injects the answer of another agent. With an argument name, it is a method decorator. */
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
  argNameOrOptions?: string | AgentDependencyOptions,
  decoratorOptions?: AgentDependencyOptions,
): object {
  const argName = typeof argNameOrOptions === 'string' ? argNameOrOptions : undefined;
  const first = typeof argNameOrOptions === 'string' ? undefined : argNameOrOptions;
  const options = first ?? decoratorOptions ?? {};
  refuseUnknownOptions(options, ['prompt'], 'dependsOnAgent');
  if (!isAgentReference(agent)) {
    throw declarationError(
      'TOOL_INVALID_REFERENCE',
      `dependsOnAgent expects an agent or the non-empty name of one, got ${kindOf(agent)}.`,
    );
  }
  const prompt = options.prompt ?? undefined;
  if (prompt !== undefined && typeof prompt !== 'function')
    throw invalidValue('dependsOnAgent', 'prompt', 'a function', prompt);
  const injection: AgentInjection = { kind: 'agent', agent, prompt };
  return argName === undefined ? injection : injectingDecorator('dependsOnAgent', argName, injection);
}

function isAgentReference(agent: unknown): boolean {
  if (typeof agent === 'string') return agent !== '';
  return typeof agent === 'object' && agent !== null && 'id' in agent && 'name' in agent;
}

/** Injects a private value, only in this process. With an argument name, it is a method decorator. */
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
  return argName == null ? injection : injectingDecorator('dependsOnPrivateData', argName, injection);
}

function readSelector(selector: string | PrivateDataSelector): PrivateDataInjection {
  const isOptions = typeof selector === 'object' && selector !== null;
  if (isOptions) refuseUnknownOptions(selector, ['key', 'schema'], 'dependsOnPrivateData');
  const key: unknown = isOptions ? selector.key : selector;
  if (typeof key !== 'string' || key.trim() === '') {
    throw declarationError(
      'TOOL_INVALID_DATA_KEY',
      `dependsOnPrivateData expects the non-blank name of a private value, got ${kindOf(key)}.`,
    );
  }
  const schema = isOptions ? (selector.schema ?? undefined) : undefined;
  if (schema !== undefined) requireSchema(schema, `The schema of the private value '${key}'`);
  return { kind: 'private_data', dataKey: key, schema };
}

/** Injects the answer of a person. With an `argName`, it is a method decorator. */
export function dependsOnInterrupt<
  const Name extends string,
  const Choice extends string = never,
  const Type extends FreeInputType = 'text',
>(
  options: InterruptOptions<Type, Choice> & { argName: Name },
): InjectingDecorator<Name, AnswerOf<Type, Choice>>;
export function dependsOnInterrupt<
  const Choice extends string = never,
  const Type extends FreeInputType = 'text',
>(
  options: InterruptOptions<Type, Choice> & { argName?: undefined },
): InterruptInjection<AnswerOf<Type, Choice>>;
export function dependsOnInterrupt(options: InterruptOptions & { argName?: string | undefined }): object {
  const { argName, ...question } = requireOptions(options, 'dependsOnInterrupt');
  const injection = readInterrupt(question);
  return argName == null ? injection : injectingDecorator('dependsOnInterrupt', argName, injection);
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
    throw invalidInterrupt(`dependsOnInterrupt: handler must be a function, got ${kindOf(handler)}.`);
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

function injectingDecorator(decorator: string, argName: string, injection: Injection): NotingDecorator {
  parseName(argName, `an argument of @${decorator}`);
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
