import type { ToolContext } from '../tools/tool.js';

/** A decorated method: one object of arguments, and the context. */
export type DecoratedMethod<Args, Result> = (args: Args, context: ToolContext) => Result;

/** A decorator that only takes note of the method it stands on. */
export type NotingDecorator = (
  method: (...args: never[]) => unknown,
  context: ClassMethodDecoratorContext,
) => void;

/** Shows up in the compiler's message when a method's argument does not fit what is brought to it. */
export interface ArgumentDoesNotFit<Name extends string> {
  readonly argumentDoesNotFit: Name;
}

/** Has no value at run time. */
declare const injects: unique symbol;

/**
 * A decorator of a method whose argument takes what is injected; another type of argument does not compile. The compiler
 * puts off calls that may give a function, not ones that give an intersection with one: so it knows what
 * `inject: { key: dependsOnPrivateData('key') }` brings when it comes to the function that takes it.
 */
export type InjectingDecorator<Name extends string, Value> = { readonly [injects]?: Name } & (<
  Args extends { readonly [Key in Name]?: unknown },
  Result,
>(
  method: DecoratedMethod<Args, Result>,
  context: ClassMethodDecoratorContext & (Value extends Args[Name] ? unknown : ArgumentDoesNotFit<Name>),
) => void);

/** Refuses what is no public instance method: a toolset could not collect it. */
export function checkDecorated(decorator: string, context: ClassMethodDecoratorContext): void {
  if (typeof context !== 'object') {
    throw new TypeError(
      `@${decorator} on '${String(context)}' is a standard decorator: compile without experimentalDecorators, or make the tool with agent.toolify().`,
    );
  }
  const isUnnamed = typeof context.name === 'symbol';
  const [problem] = [
    context.private && 'a private',
    context.static && 'a static',
    isUnnamed && 'an unnamed',
  ].filter(Boolean);
  if (context.kind !== 'method' || problem) {
    throw new TypeError(
      `@${decorator} stands on a public method of an instance, not on ${problem ?? `a ${context.kind}`} member '${String(context.name)}'.`,
    );
  }
}
