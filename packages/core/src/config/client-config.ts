import { inspect } from 'node:util';
import { ApiKey } from './api-key.js';
import { ConfigurationError } from './errors.js';
import { parseDuration, parseText, refuseUnknownOptions } from './options.js';
import { detectTimezone, parseTimezone } from './timezone.js';

/** The default address of a self-hosted orchestrator. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:7420';

/** The default time limit of a run, in milliseconds. */
const DEFAULT_RUN_TIMEOUT_MS = 900_000;

/** The settings of a {@link ClientConfig}. */
export interface ClientSettings {
  /** The project's API key. */
  apiKey: string | ApiKey;
  /** The orchestrator's http or https address. @default 'http://127.0.0.1:7420' */
  baseUrl?: string | undefined;
  /** The project whose memory `client.memory` administers. */
  projectId?: string | undefined;
  /** The IANA time zone sent with every run. @default the time zone of the process */
  timezone?: string | undefined;
  /** The conversation that runs belong to, unless a call names another. */
  threadId?: string | undefined;
  /** How long one run may take, in milliseconds. @default 900000 */
  timeoutMs?: number | undefined;
}

/** The names of the settings. */
export const SETTING_NAMES = [
  'apiKey',
  'baseUrl',
  'projectId',
  'timezone',
  'threadId',
  'timeoutMs',
] as const satisfies (keyof ClientSettings)[];

/** The frozen settings of a client. Only `dump()` reveals the API key. */
export class ClientConfig {
  readonly #apiKey: ApiKey;
  readonly baseUrl: string;
  readonly projectId: string | undefined;
  readonly timezone: string;
  readonly threadId: string | undefined;
  readonly timeoutMs: number;

  /** @throws ConfigurationError for an unknown setting or an invalid value. */
  constructor(settings: ClientSettings) {
    const owner = 'ClientConfig';
    refuseUnknownOptions(settings, SETTING_NAMES, owner);
    this.#apiKey =
      settings.apiKey instanceof ApiKey ? settings.apiKey : new ApiKey(settings.apiKey, 'the apiKey option');
    this.baseUrl = parseBaseUrl(settings.baseUrl ?? DEFAULT_BASE_URL, 'baseUrl');
    this.projectId = parseId(settings.projectId, 'projectId', owner);
    this.timezone =
      settings.timezone == null ? detectTimezone() : parseTimezone(settings.timezone, 'timezone');
    this.threadId = parseId(settings.threadId, 'threadId', owner);
    this.timeoutMs = parseDuration(settings.timeoutMs ?? DEFAULT_RUN_TIMEOUT_MS, 'timeoutMs');
    if (new.target === ClientConfig) Object.freeze(this);
  }

  /** The wrapped API key, for the Authorization header. */
  get apiKey(): ApiKey {
    return this.#apiKey;
  }

  /** Returns every setting, including the API key in clear, in the form that the constructor accepts. Never log it. */
  dump(): ClientSettings {
    return { apiKey: this.#apiKey.reveal(), ...this.toJSON() };
  }

  /** Returns every setting except the API key. */
  toJSON(): Omit<ClientSettings, 'apiKey'> {
    const { baseUrl, projectId, timezone, threadId, timeoutMs } = this;
    return { baseUrl, projectId, timezone, threadId, timeoutMs };
  }

  [inspect.custom](): string {
    // Bundlers prefix the name of a class that refers to itself with an underscore.
    return `${this.constructor.name.replace(/^_/, '')} ${inspect(this.toJSON())}`;
  }
}

/** Returns an id without the spaces around it; a blank one counts as unset. */
function parseId(value: string | undefined, option: string, owner: string): string | undefined {
  return parseText(value, option, owner)?.trim() || undefined;
}

/** Returns the address without a trailing slash; an invalid one is a configuration error that names its origin. */
export function parseBaseUrl(text: string, origin: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!isUsable) {
    // The text itself stays out of the error: an address may carry a password.
    throw new ConfigurationError(
      `${origin} must be an http or https URL such as http://127.0.0.1:7420, without user, password, query or fragment.`,
      { code: 'CONFIG_INVALID_BASE_URL', details: { origin } },
    );
  }
  return url.href.replace(/\/+$/, '');
}
