import type * as z from 'zod';
import type { Injection } from '../references/injection.js';
import type { OrderControl } from '../references/order-control.js';
import type { ToolTraits } from './tool-options.js';

/** Options of `@toolify` on a method. */
export interface MethodOptions extends Omit<ToolTraits, 'description'> {
  /** The name of the tool. @default the method's name */
  name?: string | undefined;
  /** What the tool does; the planner chooses by it. */
  description: string;
  /** The arguments that the planner fills. @default no arguments */
  input?: z.ZodObject | undefined;
}

/** The annotations from the decorators of one method, in any order. */
export interface MethodAnnotations {
  options: MethodOptions | undefined;
  output: z.ZodType | undefined;
  readonly inject: Map<string, Injection>;
  readonly order: OrderControl[];
}

const annotations = new WeakMap<object, MethodAnnotations>();

/** Returns the annotations of a method, created on first use. */
export function annotate(method: object): MethodAnnotations {
  const known = annotations.get(method);
  if (known) return known;
  const fresh: MethodAnnotations = { options: undefined, output: undefined, inject: new Map(), order: [] };
  annotations.set(method, fresh);
  return fresh;
}

/** Returns the annotations of a method, if it has any. */
export function annotationsOf(method: object): MethodAnnotations | undefined {
  return annotations.get(method);
}
