import { annotateToolset, type ToolsetOptions } from '../tools/toolset-annotations.js';

type Constructor = abstract new (...args: never[]) => object;
type ClassDecorator = (target: Constructor, context: ClassDecoratorContext) => void;

/** Marks a class whose `@toolify` methods `agent.addToolset(instance)` collects. With or without options. */
export function toolset(target: Constructor, context: ClassDecoratorContext): void;
export function toolset(options?: ToolsetOptions): ClassDecorator;
export function toolset(
  given?: Constructor | ToolsetOptions,
  context?: ClassDecoratorContext,
): void | ClassDecorator {
  if (typeof given === 'function' && context) return annotateToolset(given, {});
  const options = typeof given === 'function' ? {} : (given ?? {});
  return (target) => annotateToolset(target, options);
}
