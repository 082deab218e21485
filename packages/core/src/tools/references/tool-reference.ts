import { declarationError, parseName } from '../declaration-error.js';

/** Carries the type of a tool's result; it has no value at run time. */
declare const outputType: unique symbol;

/** The parts of a tool that references need. */
export interface ToolHandle<Output = unknown> {
  readonly [outputType]?: () => Output;
  /** The id by which the orchestrator calls it. */
  readonly id: string;
  readonly name: string;
}

/** A method on the class of a toolset. */
export type ToolMethod<Output = unknown> = (...args: never[]) => Output;

/** A reference to a tool: the tool itself, a decorated method, or a name. */
export type ToolReference = ToolHandle | ToolMethod | string;

/** Refuses anything but a reference to a tool. */
export function parseReference(reference: ToolReference): ToolReference {
  if (typeof reference === 'string') return parseName(reference, 'a referenced tool');
  if (isReference(reference)) return reference;
  throw declarationError(
    'TOOL_INVALID_REFERENCE',
    `A dependency must be a tool, a decorated method or the name of a tool, got ${describe(reference)}.`,
  );
}

/** Whether a value has the form of a reference to a tool, registered or not. */
export function isReference(reference: unknown): boolean {
  if (typeof reference === 'string') return true;
  if (typeof reference === 'function') return reference.name !== '';
  if (typeof reference !== 'object' || reference === null || !('name' in reference)) return false;
  return typeof reference.name === 'string';
}

function describe(reference: unknown): string {
  if (typeof reference === 'function') return 'a function without a name';
  return typeof reference === 'object' && reference !== null ? 'an object without a name' : String(reference);
}

/** Returns the name in a reference. */
export function nameOfReference(reference: ToolReference): string {
  return typeof reference === 'string' ? reference : reference.name;
}
