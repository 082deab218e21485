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

/** The name in a reference, for messages. */
export function nameOfReference(reference: ToolReference): string {
  return typeof reference === 'string' ? reference : reference.name;
}
