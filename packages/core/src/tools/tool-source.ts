import type { Tool } from './tool.js';

/** Brings tools from elsewhere, such as an MCP server. `agent.addTool` takes one; it is asked when a run first needs its tools. */
export interface ToolSource {
  /** The name of the source, for messages. */
  readonly name: string;
  /** The tools, connecting first if that has not happened. Called before every run; an open source answers at once. */
  listTools(options: { signal: AbortSignal }): Promise<readonly Tool[]>;
  /** Releases what the source holds. Closing twice is fine. */
  close(): Promise<void>;
}

/** Whether this can bring tools. */
export function isToolSource(value: unknown): value is ToolSource {
  return (
    typeof value === 'object' &&
    value !== null &&
    'listTools' in value &&
    typeof value.listTools === 'function' &&
    'close' in value &&
    typeof value.close === 'function'
  );
}
