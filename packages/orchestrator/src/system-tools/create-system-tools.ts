import type { Planner } from '../planning/planner.js';
import { composeTool } from './compose.js';
import { reevaluateTool } from './reevaluate.js';
import { replTool, type ReplOptions } from './repl.js';
import { SystemToolbox } from './system-toolbox.js';
import { thinkTool } from './think.js';
import { webSearchTool, type WebSearchOptions } from './web-search.js';

/** The system tools of an orchestrator in addition to `think`, `reevaluate` and `compose`. */
export interface SystemToolsOptions {
  /** The search service of `web_search`. @default off */
  readonly webSearch?: WebSearchOptions | undefined;
  /** Turns `repl` on, optionally with other limits. @default off */
  readonly repl?: ReplOptions | boolean | undefined;
}

export function createSystemTools(
  planner: Planner,
  { webSearch, repl }: SystemToolsOptions = {},
): SystemToolbox {
  return new SystemToolbox([
    thinkTool,
    reevaluateTool,
    composeTool(planner),
    ...(webSearch ? [webSearchTool(webSearch)] : []),
    ...(repl ? [replTool(repl === true ? {} : repl)] : []),
  ]);
}
