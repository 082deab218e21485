import { annotateToolset, type ToolsetOptions } from '../tools/declaration/toolset-annotations.js';

type Constructor = abstract new (...args: never[]) => object;
type ClassDecorator = (target: Constructor, context: ClassDecoratorContext) => void;

/** Marks a class whose `@toolify` methods are added by `agent.addToolset(instance)`. It is used with or without options. */
export function toolset(target: Constructor, context: ClassDecoratorContext): void;
export function toolset(options?: ToolsetOptions): ClassDecorator;
export function toolset(
  targetOrOptions?: Constructor | ToolsetOptions,
  context?: ClassDecoratorContext,
): void | ClassDecorator {
  if (typeof targetOrOptions === 'function' && context) return annotateToolset(targetOrOptions, {});
  const options = typeof targetOrOptions === 'function' ? {} : (targetOrOptions ?? {});
  return (target) => annotateToolset(target, options);
}
