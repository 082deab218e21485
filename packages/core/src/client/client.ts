import { inspect } from 'node:util';
import { hasCredentialOption, resolveApiKey, type CredentialOptions } from '../auth/resolve-credentials.js';
import { ClientConfig, parseBaseUrl, SETTING_NAMES, type ClientSettings } from '../config/client-config.js';
import {
  processEnvironment,
  readEnvironment,
  type Environment,
  type EnvironmentName,
  type EnvironmentSource,
} from '../config/environment.js';
import { ConfigurationError } from '../config/errors.js';
import { parseDurationText, refuseUnknownOptions } from '../config/options.js';
import { parseTimezone } from '../config/timezone.js';
import { HttpClient } from '../http/http-client.js';
import { MemoryApi } from '../memory/memory-api.js';
import { systemRuntime, type Runtime } from '../runtime.js';
import { SessionApi } from './session-api.js';

/** Options of a {@link Client}: the source of its key, and settings that take precedence over the environment. */
export interface ClientOptions extends CredentialOptions, Partial<Omit<ClientSettings, 'apiKey'>> {}

/** The dependencies of a client besides the network, which tests can replace. */
export interface ClientPorts {
  environment?: EnvironmentSource | undefined;
  runtime?: Runtime | undefined;
  /** How long one HTTP request may take, in milliseconds. @default 30000 */
  requestTimeoutMs?: number | undefined;
}

const KNOWN = [...SETTING_NAMES, 'envFile', 'apiKeyFile'] satisfies (keyof ClientOptions)[];

/** Returns the session requests of a client. */
export let sessionsOf: (client: Client) => SessionApi;

/** A connection to an orchestrator with a project's API key. The key is read once, when the client is created. */
export class Client implements AsyncDisposable {
  readonly #config: ClientConfig;
  readonly #http: HttpClient;
  readonly #sessions: SessionApi;
  readonly #memory: MemoryApi;

  static {
    sessionsOf = (client) => client.#sessions;
  }

  /** @throws ConfigurationError without a credential, for a named file that cannot be read, or for an unknown option. */
  constructor(options?: ClientOptions | ClientConfig, ports: ClientPorts = {}) {
    this.#config =
      options instanceof ClientConfig ? options : resolveConfig(options ?? {}, ports.environment);
    const { baseUrl, apiKey } = this.#config;
    const runtime = ports.runtime ?? systemRuntime;
    this.#http = new HttpClient({ baseUrl, apiKey, runtime, requestTimeoutMs: ports.requestTimeoutMs });
    this.#sessions = new SessionApi(this.#http, runtime);
    this.#memory = new MemoryApi(this.#http, this.#config.projectId);
  }

  /** The orchestrator's address, without a trailing slash. */
  get baseUrl(): string {
    return this.#config.baseUrl;
  }

  /** The project whose memory `memory` administers. */
  get projectId(): string | undefined {
    return this.#config.projectId;
  }

  /** The IANA time zone sent with every run. */
  get timezone(): string {
    return this.#config.timezone;
  }

  /** The conversation that runs belong to, unless a call names another. */
  get threadId(): string | undefined {
    return this.#config.threadId;
  }

  /** How long one run may take, in milliseconds. */
  get timeoutMs(): number {
    return this.#config.timeoutMs;
  }

  /** The frozen settings of this client. */
  get config(): ClientConfig {
    return this.#config;
  }

  /** Administers the orchestrator's memory of the project. */
  get memory(): MemoryApi {
    return this.#memory;
  }

  /** Closes the connections. Closing twice is safe. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Returns the settings without the API key. */
  toJSON(): Omit<ClientSettings, 'apiKey'> {
    return this.#config.toJSON();
  }

  [inspect.custom](): string {
    return `Client ${inspect(this.toJSON())}`;
  }
}

/** Resolves the settings from the options and the environment. Returns `undefined` if no source has a key. */
export function findConfig(
  options: ClientOptions,
  source: EnvironmentSource = processEnvironment,
): ClientConfig | undefined {
  const environment = readEnvironment(source, options.envFile);
  const apiKey = resolveApiKey(options, environment, source);
  if (apiKey === undefined) return undefined;
  return new ClientConfig({
    apiKey,
    baseUrl: options.baseUrl ?? readSetting(environment, 'SVC_BASE_URL', parseBaseUrl),
    projectId: options.projectId ?? environment.get('SVC_PROJECT_ID'),
    timezone: options.timezone ?? readSetting(environment, 'SVC_TIMEZONE', parseTimezone),
    threadId: options.threadId,
    timeoutMs: options.timeoutMs ?? readSetting(environment, 'SVC_TIMEOUT_MS', parseDurationText),
  });
}

function resolveConfig(options: ClientOptions, source: EnvironmentSource | undefined): ClientConfig {
  refuseUnknownOptions(options, KNOWN, 'Client');
  const config = findConfig(options, source);
  if (config) return config;
  const where = hasCredentialOption(options) ? 'The named source has no API key' : 'There is no API key';
  throw new ConfigurationError(
    `${where}. Pass apiKey, envFile or apiKeyFile, or set SVC_API_KEY or SVC_API_KEY_FILE.`,
    { code: 'CONFIG_MISSING_CREDENTIAL' },
  );
}

/** Reads and checks a variable here, so that an error names the variable instead of an option that was never set. */
function readSetting<Value>(
  environment: Environment,
  name: EnvironmentName,
  parse: (text: string, origin: string) => Value,
): Value | undefined {
  const text = environment.get(name);
  return text === undefined ? undefined : parse(text, name);
}
