import type * as z from 'zod';
import type { Injection } from './injection.js';
import type { OrderControl } from './order-control.js';
import type { ToolTraits } from './tool-options.js';

/** What `@toolify` says of a method. */
export interface MethodOptions extends Omit<ToolTraits, 'description'> {
  /** @default the method's name */
  name?: string | undefined;
  description: string;
  input?: z.ZodObject | undefined;
}

/** What the decorators of one method said, in whatever order they stand. */
export interface MethodAnnotations {
  options: MethodOptions | undefined;
  output: z.ZodType | undefined;
  readonly inject: Map<string, Injection>;
  readonly order: OrderControl[];
}

const annotations = new WeakMap<object, MethodAnnotations>();

/** The annotations of a method, made when first asked for. */
export function annotate(method: object): MethodAnnotations {
  const known = annotations.get(method);
  if (known) return known;
  const fresh: MethodAnnotations = { options: undefined, output: undefined, inject: new Map(), order: [] };
  annotations.set(method, fresh);
  return fresh;
}

/** The annotations of a method, if it has any. */
export function annotationsOf(method: object): MethodAnnotations | undefined {
  return annotations.get(method);
}
