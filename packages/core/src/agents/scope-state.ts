import type { CredentialOptions } from '../auth/resolve-credentials.js';
import { MissingCredentialError } from '../auth/errors.js';
import { Client, findConfig } from '../client/client.js';
import { ConfigurationError } from '../config/errors.js';
import { invalidOption, parseDuration, parseText } from '../config/options.js';
import { parseHooks, type HookExecutionMode, type Hooks } from '../hooks/hook.js';
import { createStableId } from '../identifiers.js';
import { parseSharedOptions, type SharedRunOptions } from '../invocation/run-options.js';
import { createPrivateDataMap, type PrivateDataMap } from '../privacy/private-data-map.js';
import { isReceiptStore, memoryReceiptStore, type ReceiptStore } from '../tools/receipts.js';
import { ToolRegistry } from '../tools/registry.js';
import type { ToolSource } from '../tools/tool-source.js';
import type { ScopeOptions } from './scope-options.js';

/** All that a scope is, checked. Runs read it when they start; nothing of a run is written to it. */
export interface ScopeState {
  readonly type: 'agent' | 'swarm';
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly systemPrompt: string | undefined;
  readonly registry: ToolRegistry;
  readonly sources: ToolSource[];
  privateData: PrivateDataMap;
  readonly hooks: Hooks;
  readonly hookMode: HookExecutionMode;
  readonly runOptions: SharedRunOptions;
  readonly toolTimeoutMs: number;
  readonly dependencyTimeoutMs: number;
  readonly maxParallelTools: number;
  readonly receipts: ReceiptStore;
}

const MODES: readonly string[] = ['tool', 'scope', 'agent'] satisfies HookExecutionMode[];

/** Checks the options of a scope. Unknown ones are errors, so that a typo does not pass in silence. */
export function createScopeState(type: ScopeState['type'], options: ScopeOptions): ScopeState {
  const {
    name,
    description,
    systemPrompt,
    client: _client,
    apiKey: _apiKey,
    envFile: _envFile,
    apiKeyFile: _apiKeyFile,
    tools: _tools,
    privateData,
    beforeExecute,
    afterExecute,
    hookExecutionMode,
    toolTimeoutMs,
    dependencyTimeoutMs,
    maxParallelTools: givenMaximum,
    receipts: givenReceipts,
    ...shared
  } = options;
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ConfigurationError(`${type === 'agent' ? 'An agent' : 'A swarm'} needs a name.`, {
      code: 'CONFIG_MISSING_NAME',
    });
  }
  const owner = `The ${type} '${name}'`;
  const receipts = givenReceipts ?? memoryReceiptStore();
  const hookMode = hookExecutionMode ?? 'tool';
  const maxParallelTools = givenMaximum ?? 8;
  if (!isReceiptStore(receipts)) {
    throw invalidOption(owner, 'takes a store with find, begin and settle as receipts', ['receipts']);
  }
  if (!MODES.includes(hookMode)) {
    throw invalidOption('hookExecutionMode', `is one of ${MODES.join(', ')}, not '${hookMode}'`, [
      'hookExecutionMode',
    ]);
  }
  if (!Number.isInteger(maxParallelTools) || maxParallelTools < 1) {
    throw invalidOption('maxParallelTools', 'must be a whole number of at least 1', ['maxParallelTools']);
  }
  return {
    type,
    id: createStableId(`${type === 'agent' ? 'Agent' : 'Swarm'}:${name}`),
    name,
    description: parseWords(description, 'description', owner),
    systemPrompt: parseWords(systemPrompt, 'systemPrompt', owner),
    registry: new ToolRegistry(),
    sources: [],
    privateData: createPrivateDataMap(privateData),
    hooks: parseHooks(beforeExecute, afterExecute),
    hookMode,
    runOptions: parseSharedOptions(shared, `the ${type} '${name}'`),
    toolTimeoutMs: parseDuration(toolTimeoutMs ?? 900_000, 'toolTimeoutMs'),
    dependencyTimeoutMs: parseDuration(dependencyTimeoutMs ?? 300_000, 'dependencyTimeoutMs'),
    maxParallelTools,
    receipts,
  };
}

/** The client of a scope: a given one wins; else one of its credential source, or of the environment. None is an error. */
export function requireClient(
  owner: string,
  options: CredentialOptions & { client?: Client | undefined },
): Client {
  if (options.client instanceof Client) return options.client;
  if (options.client) throw invalidOption(owner, 'takes a Client as its client', ['client']);
  const { apiKey, envFile, apiKeyFile } = options;
  const config = findConfig({ apiKey, envFile, apiKeyFile });
  if (!config) throw new MissingCredentialError(owner);
  return new Client(config);
}

/** A text as it is given; a blank one is none, as models refuse messages without text. */
function parseWords(value: string | undefined, option: string, owner: string): string | undefined {
  const text = parseText(value, option, owner);
  return text?.trim() ? text : undefined;
}
