import type { ClientConfig } from '../../../config/client-config.js';
import type { hooksOfCalls, Hooks } from '../../../hooks/hook.js';
import type { PrivateDataMap } from '../../../privacy/private-data-map.js';
import type { NamedValue } from '../../../privacy/private-values.js';
import type { Tool } from '../../../tools/declaration/tool.js';

/** The parts of a run that a server needs. */
export interface ServableRun extends AsyncIterable<{ readonly name: string; readonly payload: unknown }> {
  readonly response: Promise<{ readonly response: string; readonly result: unknown }>;
  answer(interruptId: string, value: unknown): Promise<void>;
}

/** Something that can be offered as an MCP server, such as every agent and swarm. */
export interface ServableAgent {
  readonly name: string;
  readonly description: string | undefined;
  readonly privateData: PrivateDataMap;
  /** The client, whose API key is hidden in the output of tools. */
  readonly client?: { readonly config: Pick<ClientConfig, 'apiKey'> } | undefined;
  /** @internal */
  readonly [hooksOfCalls]?: Hooks;
  privateValues(): readonly NamedValue[];
  listTools(): readonly Tool[];
  /**
   * Calls a listener when tools are added; returns a function that removes it. Without it, clients are not notified of
   * new tools.
   */
  onToolsAdded?(listener: () => void): () => void;
  stream(message: string, options: { signal: AbortSignal }): ServableRun;
}
