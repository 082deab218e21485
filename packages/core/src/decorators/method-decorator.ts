import type { ToolContext } from '../tools/declaration/tool.js';

/** A decorated method: it receives one object of arguments, and the context. */
export type DecoratedMethod<Args, Result> = (args: Args, context: ToolContext) => Result;

/** The context of a public instance method; another method does not compile, because a toolset cannot collect it. */
export type MethodContext = ClassMethodDecoratorContext & {
  readonly private: false;
  readonly static: false;
};

/** A decorator that annotates a method without changing it. */
export type NotingDecorator = (method: (...args: never[]) => unknown, context: MethodContext) => void;

/** Appears in the compiler's message if the type of a method's argument does not match the injected value. */
export interface ArgumentDoesNotFit<Name extends string> {
  readonly argumentDoesNotFit: Name;
}

/** Exists only as a type. */
declare const injects: unique symbol;

/**
 * A decorator for a method whose argument accepts the injected value; another type of argument does not compile. It is an
 * intersection because the compiler defers calls that may return a function, but not those that return an intersection
 * with one: so it knows the type of `inject: { key: dependsOnPrivateData('key') }` before it checks the tool's function.
 */
export type InjectingDecorator<Name extends string, Value> = { readonly [injects]?: Name } & (<
  Args extends { readonly [Key in Name]?: unknown },
  Result,
>(
  method: DecoratedMethod<Args, Result>,
  context: MethodContext & ([Value] extends [Args[Name]] ? unknown : ArgumentDoesNotFit<Name>),
) => void);

/** Refuses anything but a public instance method, which a toolset could not collect. */
export function checkDecorated(decorator: string, context: ClassMethodDecoratorContext): void {
  if (typeof context !== 'object') {
    throw new TypeError(
      `@${decorator} on '${String(context)}' is a standard decorator. Compile without experimentalDecorators (swc needs decoratorVersion: '2023-11'), or create the tool with agent.toolify().`,
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
      `@${decorator} must decorate a public instance method, got ${problem ?? `a ${context.kind}`} member '${String(context.name)}'.`,
    );
  }
}
