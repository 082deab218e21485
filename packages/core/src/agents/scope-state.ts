import type { CredentialOptions } from '../auth/resolve-credentials.js';
import { MissingCredentialError } from '../auth/errors.js';
import { Client, findConfig } from '../client/client.js';
import { ConfigurationError } from '../config/errors.js';
import {
  invalidOption,
  invalidValue,
  kindOf,
  parseCount,
  parseDuration,
  parseText,
} from '../config/options.js';
import { parseHooks, type HookExecutionMode, type Hooks } from '../hooks/hook.js';
import { createStableId } from '../identifiers.js';
import { parseSharedOptions, type SharedRunOptions } from '../invocation/run-options.js';
import { createPrivateDataMap, type PrivateDataMap } from '../privacy/private-data-map.js';
import { isReceiptStore, memoryReceiptStore, type ReceiptStore } from '../tools/receipts/receipts.js';
import { ToolRegistry } from '../tools/registry.js';
import type { ToolSource } from '../tools/tool-source.js';
import type { ScopeOptions } from './scope-options.js';

/** The validated state of a scope. Runs read it when they start and never write to it. */
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

/** The options of a scope that are not run options. */
const OWN_OPTIONS: readonly string[] = [
  'name',
  'description',
  'systemPrompt',
  'client',
  'apiKey',
  'envFile',
  'apiKeyFile',
  'tools',
  'privateData',
  'beforeExecute',
  'afterExecute',
  'hookExecutionMode',
  'toolTimeoutMs',
  'dependencyTimeoutMs',
  'maxParallelTools',
  'receipts',
] satisfies Exclude<keyof ScopeOptions, keyof SharedRunOptions>[];

/**
 * Validates the options of a scope, except `others`, which its class checks itself. Unknown ones are errors, so that a
 * typo is noticed.
 */
export function createScopeState(
  type: ScopeState['type'],
  options: ScopeOptions,
  others: readonly string[],
): ScopeState {
  const {
    name,
    description,
    systemPrompt,
    privateData,
    beforeExecute,
    afterExecute,
    hookExecutionMode,
    toolTimeoutMs,
    dependencyTimeoutMs,
    maxParallelTools,
    receipts: receiptStore,
  } = options;
  if (typeof name !== 'string' || name.trim() === '') {
    const owner = type === 'agent' ? 'Agent' : 'Swarm';
    throw new ConfigurationError(`${owner}: name must be a non-blank string, got ${kindOf(name)}.`, {
      code: 'CONFIG_MISSING_NAME',
    });
  }
  const owner = `The ${type} '${name}'`;
  const receipts = receiptStore ?? memoryReceiptStore();
  const hookMode = hookExecutionMode ?? 'tool';
  if (!isReceiptStore(receipts)) {
    throw invalidValue(owner, 'receipts', 'a store with find(), begin() and settle()', receipts);
  }
  if (!MODES.includes(hookMode)) {
    throw invalidOption(
      `${owner}:`,
      `hookExecutionMode must be one of ${MODES.join(', ')}, got '${hookMode}'`,
      ['hookExecutionMode'],
    );
  }
  const known = [...OWN_OPTIONS, ...others];
  const shared = Object.fromEntries(Object.entries(options).filter(([option]) => !known.includes(option)));
  return {
    type,
    id: createStableId(`${type === 'agent' ? 'Agent' : 'Swarm'}:${name}`),
    name,
    description: parseNonBlank(description, 'description', owner),
    systemPrompt: parseNonBlank(systemPrompt, 'systemPrompt', owner),
    registry: new ToolRegistry(),
    sources: [],
    privateData: createPrivateDataMap(privateData),
    hooks: parseHooks(beforeExecute, afterExecute),
    hookMode,
    runOptions: parseSharedOptions(shared, `the ${type} '${name}'`, known),
    toolTimeoutMs: parseDuration(toolTimeoutMs ?? 900_000, 'toolTimeoutMs'),
    dependencyTimeoutMs: parseDuration(dependencyTimeoutMs ?? 300_000, 'dependencyTimeoutMs'),
    maxParallelTools: parseCount(maxParallelTools ?? 8, 'maxParallelTools', owner),
    receipts,
  };
}

/**
 * Returns the client of a scope: the `client` option, or else one from its credential options or the environment.
 * Throws without a credential.
 */
export function requireClient(
  owner: string,
  options: CredentialOptions & { client?: Client | undefined },
): Client {
  if (options.client instanceof Client) return options.client;
  if (options.client) throw invalidValue(owner, 'client', 'a Client', options.client);
  const { apiKey, envFile, apiKeyFile } = options;
  const config = findConfig({ apiKey, envFile, apiKeyFile });
  if (!config) throw new MissingCredentialError(owner);
  return new Client(config);
}

/** Parses a text and drops a blank one, because models refuse messages without text. */
function parseNonBlank(value: string | undefined, option: string, owner: string): string | undefined {
  const text = parseText(value, option, owner);
  return text?.trim() ? text : undefined;
}
