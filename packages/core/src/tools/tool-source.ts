import { hasFunctions } from '../config/options.js';
import { isArrayOf } from '../is-array-of.js';
import { declarationError } from './declaration-error.js';
import { isTool, type Tool } from './declaration/tool.js';

/**
 * A source of tools from elsewhere, such as an MCP server, for `agent.addTool`. Its tools are listed when a run first
 * needs them.
 */
export interface ToolSource {
  /** The name of the source, for messages; unique in its agent or swarm. */
  readonly name: string;
  /**
   * Lists the tools and connects first if necessary. It is called before every run, so a connected source should
   * resolve at once.
   */
  listTools(options: { signal: AbortSignal }): Promise<readonly Tool[]>;
  /** Releases the resources of the source. Closing twice must be safe. */
  close(): Promise<void>;
}

/** Whether a value is a source of tools. */
export function isToolSource(value: unknown): value is ToolSource {
  return hasFunctions(value, ['listTools', 'close']);
}

/** Lists the tools of a source. The error for anything but tools names the source. */
export async function listToolsOf(source: ToolSource, signal: AbortSignal): Promise<readonly Tool[]> {
  const listed: unknown = await source.listTools({ signal });
  if (isArrayOf(listed, isTool)) return listed;
  throw declarationError(
    'TOOL_INVALID',
    `listTools() of the source '${source.name}' must resolve to an array of tools, such as toolify() returns.`,
    { source: source.name },
  );
}
