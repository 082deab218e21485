import type { ClientConfig } from '../../config/client-config.js';
import type { PrivateDataMap } from '../../privacy/private-data-map.js';
import type { NamedValue } from '../../privacy/private-values.js';
import type { Tool } from '../../tools/tool.js';

/** One run, as far as a server needs it. */
export interface ServableRun extends AsyncIterable<{ readonly name: string; readonly payload: unknown }> {
  readonly response: Promise<{ readonly response: string; readonly result: unknown }>;
  answer(interruptId: string, value: unknown): Promise<void>;
}

/** What can be offered as an MCP server: every agent and swarm can. */
export interface ServableAgent {
  readonly name: string;
  readonly description: string | undefined;
  readonly privateData: PrivateDataMap;
  /** Whose API key is kept out of what tools say. */
  readonly client?: { readonly config: Pick<ClientConfig, 'apiKey'> } | undefined;
  privateValues(): readonly NamedValue[];
  listTools(): readonly Tool[];
  /** Tells of tools that are added, until the function that it gives back is called; without it clients are told of none. */
  onToolsAdded?(listener: () => void): () => void;
  stream(message: string, options: { signal: AbortSignal }): ServableRun;
}
