import { hasFunctions } from '../config/options.js';
import { declarationError } from './declaration-error.js';
import { isTool, type Tool } from './tool.js';

/** Brings tools from elsewhere, such as an MCP server. `agent.addTool` takes one; it is asked when a run first needs its tools. */
export interface ToolSource {
  /** The name of the source, for messages; unique in its scope. */
  readonly name: string;
  /** The tools, connecting first if that has not happened. Called before every run; an open source answers at once. */
  listTools(options: { signal: AbortSignal }): Promise<readonly Tool[]>;
  /** Releases what the source holds. Closing twice is fine. */
  close(): Promise<void>;
}

/** Whether this can bring tools. */
export function isToolSource(value: unknown): value is ToolSource {
  return hasFunctions(value, ['listTools', 'close']);
}

/** The tools that a source brings. Anything else is an error that names the source. */
export async function listToolsOf(source: ToolSource, signal: AbortSignal): Promise<readonly Tool[]> {
  const brought: unknown = await source.listTools({ signal });
  if (Array.isArray(brought) && brought.every(isTool)) return brought;
  throw declarationError(
    'TOOL_INVALID',
    `The source '${source.name}' must bring a list of tools, such as toolify makes, and nothing else.`,
    { source: source.name },
  );
}
