import { inspect } from 'node:util';
import { ApiKey } from './api-key.js';
import { ConfigurationError } from './errors.js';
import { parseDuration, parseText, refuseUnknownOptions } from './options.js';
import { detectTimezone, parseTimezone } from './timezone.js';

/** Where a self-hosted orchestrator listens unless told otherwise. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:7420';

/** How long a run may take unless told otherwise, in milliseconds. */
const DEFAULT_RUN_TIMEOUT_MS = 900_000;

/** What a {@link ClientConfig} is made of. */
export interface ClientSettings {
  /** The project's API key. */
  apiKey: string | ApiKey;
  /** The orchestrator's address; http or https. @default 'http://127.0.0.1:7420' */
  baseUrl?: string | undefined;
  /** The project that memory administration works on. */
  projectId?: string | undefined;
  /** The IANA zone sent with every run. @default the process's zone */
  timezone?: string | undefined;
  /** The conversation that runs belong to unless a call names one. */
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

/** The frozen settings of a client. Only `dump()` shows the API key. */
export class ClientConfig {
  readonly #apiKey: ApiKey;
  readonly baseUrl: string;
  readonly projectId: string | undefined;
  readonly timezone: string;
  readonly threadId: string | undefined;
  readonly timeoutMs: number;

  /** A setting that does not exist, or has a value that it cannot have, is a `ConfigurationError`. */
  constructor(settings: ClientSettings) {
    const owner = 'ClientConfig';
    refuseUnknownOptions(settings, SETTING_NAMES, owner);
    this.#apiKey =
      settings.apiKey instanceof ApiKey ? settings.apiKey : new ApiKey(settings.apiKey, 'the apiKey option');
    this.baseUrl = parseBaseUrl(settings.baseUrl ?? DEFAULT_BASE_URL, 'baseUrl');
    this.projectId = parseText(settings.projectId, 'projectId', owner);
    this.timezone =
      settings.timezone == null ? detectTimezone() : parseTimezone(settings.timezone, 'timezone');
    this.threadId = parseText(settings.threadId, 'threadId', owner);
    this.timeoutMs = parseDuration(settings.timeoutMs ?? DEFAULT_RUN_TIMEOUT_MS, 'timeoutMs');
    if (new.target === ClientConfig) Object.freeze(this);
  }

  /** The API key in its box, for the Authorization header. */
  get apiKey(): ApiKey {
    return this.#apiKey;
  }

  /** Every setting, the API key in clear; another config can be made of it. Never log it. */
  dump(): ClientSettings {
    return { apiKey: this.#apiKey.reveal(), ...this.toJSON() };
  }

  /** Every setting but the API key. */
  toJSON(): Omit<ClientSettings, 'apiKey'> {
    const { baseUrl, projectId, timezone, threadId, timeoutMs } = this;
    return { baseUrl, projectId, timezone, threadId, timeoutMs };
  }

  [inspect.custom](): string {
    // A class that refers to itself has an underscore before its name where it is bundled.
    return `${this.constructor.name.replace(/^_/, '')} ${inspect(this.toJSON())}`;
  }
}

/** The address without a slash at its end, or a configuration error naming where it came from. */
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
      `${origin} must be an http or https address without user, password, query or fragment.`,
      { code: 'CONFIG_INVALID_BASE_URL', details: { origin } },
    );
  }
  return url.href.replace(/\/+$/, '');
}
