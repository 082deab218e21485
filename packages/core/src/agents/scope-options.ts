import type * as z from 'zod';
import type { CredentialOptions } from '../auth/resolve-credentials.js';
import type { Client } from '../client/client.js';
import type { HookExecutionMode, HookInput } from '../hooks/hook.js';
import type { SharedRunOptions } from '../invocation/run-options.js';
import type { PrivateDataInput } from '../privacy/private-data-map.js';
import type { ReceiptStore } from '../tools/receipts.js';
import type { Tool } from '../tools/tool.js';
import type { ToolSource } from '../tools/tool-source.js';

/** What brings tools to a scope: a tool, a schema that is a model tool, or a source such as an MCP server. */
export type ToolInput = Tool | z.ZodObject | ToolSource;

/** What agents and swarms have in common. */
export interface ScopeOptions extends SharedRunOptions, CredentialOptions {
  /** Unique among the members of a swarm. */
  name: string;
  /** What it is for; planners of a swarm choose by it. */
  description?: string | undefined;
  /** Leads the messages unless they bring a system message. */
  systemPrompt?: string | undefined;
  /** The connection to use; it beats every credential option. */
  client?: Client | undefined;
  /** Tools, object schemas as model tools, and sources such as MCP servers. */
  tools?: readonly ToolInput[] | undefined;
  /** Private values by name. Tools get them, the orchestrator gets their names only. */
  privateData?: PrivateDataInput | undefined;
  /** Run before each of its tools, or before the scope itself; see `hookExecutionMode`. */
  beforeExecute?: HookInput | undefined;
  /** Run after them, also when they failed. */
  afterExecute?: HookInput | undefined;
  /** How often the hooks run: around each tool call, or once around a whole run (`agent`: around each assignment). @default 'tool' */
  hookExecutionMode?: HookExecutionMode | undefined;
  /** How long one tool call may take unless the tool says otherwise, in milliseconds. @default 900000 */
  toolTimeoutMs?: number | undefined;
  /** How long a call waits for the tools it depends on, in milliseconds. @default 300000 */
  dependencyTimeoutMs?: number | undefined;
  /** How many tools of one run work at once; a call whose time is up does not count. @default 8 */
  maxParallelTools?: number | undefined;
  /** Remembers the calls of writing tools. @default in memory */
  receipts?: ReceiptStore | undefined;
}

/** What an agent says besides. */
export interface AgentOptions extends ScopeOptions {
  /** In a swarm, this agent's answer is the swarm's answer; at most one member's. @default false */
  useAsFinalOutput?: boolean | undefined;
  /** In a swarm, whether this agent adds prose to its result. @default 'auto' */
  includedNestedSynthesis?: boolean | 'auto' | undefined;
}
