import type * as z from 'zod';
import { refuseUnknownOptions, requireOptions } from '../config/options.js';
import { annotate, type MethodOptions } from '../tools/declaration/annotations.js';
import { TRAIT_NAMES } from '../tools/declaration/build-tool.js';
import { defineUntypedTool } from '../tools/declaration/define-tool.js';
import type { Injections } from '../tools/references/injection.js';
import type { Tool, ToolContext } from '../tools/declaration/tool.js';
import type {
  CheckedFunction,
  NamedKeys,
  NoInjections,
  NoInput,
  ToolOptions,
  UncheckedFunction,
} from '../tools/declaration/tool-options.js';
import {
  checkDecorated,
  type ArgumentDoesNotFit,
  type DecoratedMethod,
  type MethodContext,
  type NotingDecorator,
} from './method-decorator.js';

/** A method's argument, if it is an object. */
type ObjectOf<Args> = Exclude<Extract<Args, object>, readonly unknown[]>;

/** The arguments of a method that do not accept the schema's output. */
type Misfits<Args, Input extends z.ZodObject> = unknown extends Args
  ? never
  : [ObjectOf<Args>] extends [never]
    ? 'all arguments: a method receives them as one object'
    : {
        [Key in NamedKeys<z.output<Input>> & string]: Key extends keyof ObjectOf<Args>
          ? z.output<Input>[Key] extends ObjectOf<Args>[Key]
            ? never
            : Key
          : never;
      }[NamedKeys<z.output<Input>> & string];

/** Marks a method as a tool; its arguments must accept the schema's output. */
export type ToolifyDecorator<Input extends z.ZodObject> = <Args, Result>(
  method: DecoratedMethod<Args, Result>,
  context: MethodContext &
    ([Misfits<Args, Input>] extends [never] ? unknown : ArgumentDoesNotFit<Misfits<Args, Input>>),
) => void;

/** Creates a tool from a function whose result is validated against `output`. */
export function toolify<
  Output extends z.ZodType,
  Input extends z.ZodObject = NoInput,
  const Injected extends Injections = NoInjections,
>(
  options: ToolOptions<Input, Injected, Output> & { output: Output },
  run: CheckedFunction<Input, Injected, Output>,
): Tool<z.output<Output>>;
/** Creates a tool from a function. */
export function toolify<
  Result extends z.input<Output> | Promise<z.input<Output>>,
  Input extends z.ZodObject = NoInput,
  const Injected extends Injections = NoInjections,
  Output extends z.ZodType = z.ZodType,
>(
  options: ToolOptions<Input, Injected, Output>,
  run: UncheckedFunction<Input, Injected, Result>,
): Tool<Awaited<Result>>;
/** Returns a decorator that marks a method as a tool of its toolset. */
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

/**
 * Returns a decorator that declares the schema of a method's result, against which it is validated. A decorator cannot
 * change the method's type: if the schema transforms the result, use the function form to inject it with its type.
 */
export function toolOutput<Output extends z.ZodType>(
  output: Output,
): <Args, Result>(
  method: DecoratedMethod<Args, Result>,
  context: MethodContext &
    (Awaited<Result> extends z.input<Output> ? unknown : ArgumentDoesNotFit<'the result'>),
) => void {
  return (method, context) => {
    checkDecorated('toolOutput', context);
    annotate(method).output = output;
  };
}
