import type * as z from 'zod';
import type { CredentialOptions } from '../auth/resolve-credentials.js';
import type { Client } from '../client/client.js';
import type { HookExecutionMode, HookInput } from '../hooks/hook.js';
import type { SharedRunOptions } from '../invocation/run-options.js';
import type { PrivateDataInput } from '../privacy/private-data-map.js';
import type { ReceiptStore } from '../tools/receipts/receipts.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolSource } from '../tools/tool-source.js';

/** A tool, an object schema as a model tool, or a source of tools such as an MCP server. */
export type ToolInput = Tool | z.ZodObject | ToolSource;

/** Options common to agents and swarms. */
export interface ScopeOptions extends SharedRunOptions, CredentialOptions {
  /** The name, unique among the members of a swarm. */
  name: string;
  /** What the agent or swarm is for; the planner of a swarm chooses members by it. */
  description?: string | undefined;
  /** The system prompt, sent before the messages unless they contain a system message. */
  systemPrompt?: string | undefined;
  /** The client to use; it takes precedence over every credential option. */
  client?: Client | undefined;
  /** Tools, object schemas as model tools, and sources such as MCP servers. */
  tools?: readonly ToolInput[] | undefined;
  /** Private values by name. Tools receive the values, the orchestrator only their names. */
  privateData?: PrivateDataInput | undefined;
  /** Hooks that run before each tool call, or before the whole run; see `hookExecutionMode`. */
  beforeExecute?: HookInput | undefined;
  /** Hooks that run afterwards, also after a failure. */
  afterExecute?: HookInput | undefined;
  /**
   * How often the hooks run: around each tool call, or once around a whole run (`agent`: around each assignment).
   * @default 'tool'
   */
  hookExecutionMode?: HookExecutionMode | undefined;
  /** The default time limit of a tool call, in milliseconds; a tool can set its own. @default 900000 */
  toolTimeoutMs?: number | undefined;
  /** How long a call waits for the tools it depends on, in milliseconds. @default 300000 */
  dependencyTimeoutMs?: number | undefined;
  /** The maximum number of concurrent tool calls in one run; a call that has timed out does not count. @default 8 */
  maxParallelTools?: number | undefined;
  /** Stores receipts for the calls of writing tools. @default in memory */
  receipts?: ReceiptStore | undefined;
}

/** Options of an {@link Agent}. */
export interface AgentOptions extends ScopeOptions {
  /** Whether this agent's answer is the answer of its swarm; at most one member may set it. @default false */
  useAsFinalOutput?: boolean | undefined;
  /** Whether this agent adds prose to its result in a swarm. @default 'auto' */
  includedNestedSynthesis?: boolean | 'auto' | undefined;
}
