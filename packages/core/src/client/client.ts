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
import { parseDuration, refuseUnknownOptions } from '../config/options.js';
import { parseTimezone } from '../config/timezone.js';
import { HttpClient } from '../http/http-client.js';
import { MemoryApi } from '../memory/memory-api.js';
import { systemRuntime, type Runtime } from '../runtime.js';
import { SessionApi } from './session-api.js';

/** What a {@link Client} takes: where its key comes from, and settings that beat the environment's. */
export interface ClientOptions extends CredentialOptions, Partial<Omit<ClientSettings, 'apiKey'>> {}

/** What a client touches besides the network; tests hand in their own. */
export interface ClientPorts {
  environment?: EnvironmentSource | undefined;
  runtime?: Runtime | undefined;
  /** How long one HTTP request may take, in milliseconds. @default 30000 */
  requestTimeoutMs?: number | undefined;
}

const KNOWN = [...SETTING_NAMES, 'envFile', 'apiKeyFile'] satisfies (keyof ClientOptions)[];

/** The session requests of a client. */
export let sessionsOf: (client: Client) => SessionApi;

/** Holds a project's key, the orchestrator's address and the connections to it. It reads the key once, when it is made. */
export class Client implements AsyncDisposable {
  readonly #config: ClientConfig;
  readonly #http: HttpClient;
  readonly #sessions: SessionApi;
  readonly #memory: MemoryApi;

  static {
    sessionsOf = (client) => client.#sessions;
  }

  /** No credential source, a named file that cannot be read, or an option that does not exist, is a `ConfigurationError`. */
  constructor(given?: ClientOptions | ClientConfig, ports: ClientPorts = {}) {
    const options = given ?? {};
    if (!(options instanceof ClientConfig)) refuseUnknownOptions(options, KNOWN, 'A client');
    this.#config = options instanceof ClientConfig ? options : resolveConfig(options, ports.environment);
    const { baseUrl, apiKey } = this.#config;
    const runtime = ports.runtime ?? systemRuntime;
    this.#http = new HttpClient({ baseUrl, apiKey, runtime, requestTimeoutMs: ports.requestTimeoutMs });
    this.#sessions = new SessionApi(this.#http, runtime);
    this.#memory = new MemoryApi(this.#http, this.#config.projectId);
  }

  /** The orchestrator's address, without a slash at its end. */
  get baseUrl(): string {
    return this.#config.baseUrl;
  }

  /** The project that memory administration works on. */
  get projectId(): string | undefined {
    return this.#config.projectId;
  }

  /** The IANA zone sent with every run. */
  get timezone(): string {
    return this.#config.timezone;
  }

  /** The conversation that runs belong to unless a call names one. */
  get threadId(): string | undefined {
    return this.#config.threadId;
  }

  /** How long one run may take, in milliseconds. */
  get timeoutMs(): number {
    return this.#config.timeoutMs;
  }

  /** The frozen settings this client was made of. */
  get config(): ClientConfig {
    return this.#config;
  }

  /** Administers what the orchestrator remembers of the project. */
  get memory(): MemoryApi {
    return this.#memory;
  }

  /** Closes the connections. Closing twice is fine. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The settings without the API key. */
  toJSON(): Omit<ClientSettings, 'apiKey'> {
    return this.#config.toJSON();
  }

  [inspect.custom](): string {
    return `Client ${inspect(this.toJSON())}`;
  }
}

/** The settings that the options and the environment give, or `undefined` if no source has a key. */
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
    timeoutMs: options.timeoutMs ?? readSetting(environment, 'SVC_TIMEOUT_MS', parseTimeout),
  });
}

function resolveConfig(options: ClientOptions, source: EnvironmentSource | undefined): ClientConfig {
  const config = findConfig(options, source);
  if (config) return config;
  const where = hasCredentialOption(options) ? 'The given source has no API key' : 'There is no API key';
  throw new ConfigurationError(
    `${where}. Pass apiKey, envFile or apiKeyFile, or set SVC_API_KEY or SVC_API_KEY_FILE.`,
    { code: 'CONFIG_MISSING_CREDENTIAL' },
  );
}

/** A variable that is set, checked here so that an error names the variable and not an option that nobody gave. */
function readSetting<Value>(
  environment: Environment,
  name: EnvironmentName,
  parse: (text: string, origin: string) => Value,
): Value | undefined {
  const text = environment.get(name);
  return text === undefined ? undefined : parse(text, name);
}

const parseTimeout = (text: string, origin: string) => parseDuration(Number(text), origin);
