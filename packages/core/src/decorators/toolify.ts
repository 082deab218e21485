import type * as z from 'zod';
import { refuseUnknownOptions, requireOptions } from '../config/options.js';
import { annotate, type MethodOptions } from '../tools/annotations.js';
import { TRAIT_NAMES } from '../tools/build-tool.js';
import { defineUntypedTool } from '../tools/define-tool.js';
import type { Injections } from '../tools/injection.js';
import type { Tool, ToolContext } from '../tools/tool.js';
import type {
  CheckedFunction,
  NamedKeys,
  NoInjections,
  NoInput,
  ToolFunction,
  ToolOptions,
} from '../tools/tool-options.js';
import {
  checkDecorated,
  type ArgumentDoesNotFit,
  type DecoratedMethod,
  type NotingDecorator,
} from './method-decorator.js';

/** The arguments of a method that do not take what the schema lets through. */
type Misfits<Args, Input extends z.ZodObject> = {
  [Key in NamedKeys<z.output<Input>> & string]: Key extends keyof Args
    ? z.output<Input>[Key] extends Args[Key]
      ? never
      : Key
    : never;
}[NamedKeys<z.output<Input>> & string];

/** Marks a method as a tool; its arguments must take what the schema lets through. */
export type ToolifyDecorator<Input extends z.ZodObject> = <Args, Result>(
  method: DecoratedMethod<Args, Result>,
  context: ClassMethodDecoratorContext &
    ([Misfits<Args, Input>] extends [never] ? unknown : ArgumentDoesNotFit<Misfits<Args, Input>>),
) => void;

/** Makes a tool of a function whose result is checked against `output`. */
export function toolify<
  Output extends z.ZodType,
  Input extends z.ZodObject = NoInput,
  const Given extends Injections = NoInjections,
>(
  options: ToolOptions<Input, Given, Output> & { output: Output },
  run: CheckedFunction<Input, Given, Output>,
): Tool<z.output<Output>>;
/** Makes a tool of a function. */
export function toolify<
  Result extends z.input<Output> | Promise<z.input<Output>>,
  Input extends z.ZodObject = NoInput,
  const Given extends Injections = NoInjections,
  Output extends z.ZodType = z.ZodType,
>(options: ToolOptions<Input, Given, Output>, run: ToolFunction<Input, Given, Result>): Tool<Awaited<Result>>;
/** Marks a method as a tool of its toolset. */
export function toolify<Input extends z.ZodObject = NoInput>(
  options: MethodOptions & { input?: Input },
): ToolifyDecorator<Input>;
export function toolify(
  options: Omit<ToolOptions<z.ZodObject, Injections>, 'name'> & { name?: string },
  run?: (args: never, context: ToolContext) => unknown,
): object {
  const { name } = requireOptions(options, 'toolify');
  if (run) return defineUntypedTool({ ...options, name: name ?? '' }, run);
  refuseUnknownOptions(options, [...TRAIT_NAMES, 'name', 'input'], '@toolify');
  const decorate: NotingDecorator = (method, context) => {
    checkDecorated('toolify', context);
    annotate(method).options = { ...options, name: name ?? String(context.name) };
  };
  return decorate;
}

/** Declares what a method returns; the result is checked against it. */
export function toolOutput<Output extends z.ZodType>(
  output: Output,
): <Args, Result>(
  method: DecoratedMethod<Args, Result>,
  context: ClassMethodDecoratorContext &
    (Awaited<Result> extends z.input<Output> ? unknown : ArgumentDoesNotFit<'the result'>),
) => void {
  return (method, context) => {
    checkDecorated('toolOutput', context);
    annotate(method).output = output;
  };
}
