import { declarationError, parseName } from './declaration-error.js';

/** Carries the type of a tool's result; it has no value at run time. */
declare const outputType: unique symbol;

/** What of a tool others need to name it. */
export interface ToolHandle<Output = unknown> {
  readonly [outputType]?: () => Output;
  /** What the orchestrator calls it by. */
  readonly id: string;
  readonly name: string;
}

/** A method of a toolset as it stands on its class. */
export type ToolMethod<Output = unknown> = (...args: never[]) => Output;

/** How one tool names another: the tool, a decorated method, or its name. */
export type ToolReference = ToolHandle | ToolMethod | string;

/** Refuses what names no tool. */
export function parseReference(reference: ToolReference): ToolReference {
  if (typeof reference === 'string') return parseName(reference, 'A referenced tool');
  if (isReference(reference)) return reference;
  throw declarationError(
    'TOOL_INVALID_REFERENCE',
    `A dependency names a tool, a decorated method or a tool's name, not ${kindOf(reference)}.`,
  );
}

/** Whether this names a tool: one of the scope or not. */
export function isReference(reference: unknown): boolean {
  if (typeof reference === 'string' || typeof reference === 'function') return true;
  if (typeof reference !== 'object' || reference === null || !('name' in reference)) return false;
  return typeof reference.name === 'string';
}

const kindOf = (reference: unknown) =>
  typeof reference === 'object' && reference !== null ? 'an object without a name' : String(reference);

/** The name in a reference, as it stands there. */
export function nameOfReference(reference: ToolReference): string {
  return typeof reference === 'string' ? reference : reference.name;
}
