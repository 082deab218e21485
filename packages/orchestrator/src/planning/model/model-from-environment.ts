import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import { PlannerError } from '../planner-error.js';
import { boundedFetch } from './bounded-fetch.js';

/** The environment variables that configure a model. Blank means unset. */
export interface ModelEnvironment {
  /** A model name, `anthropic:<name>`, or the path of a module whose default export is a model. */
  readonly SVC_MODEL?: string | undefined;
  /** The base URL of an OpenAI-compatible service, such as `http://127.0.0.1:11434/v1`. */
  readonly SVC_MODEL_BASE_URL?: string | undefined;
  /** The API key of the model service. */
  readonly SVC_MODEL_API_KEY?: string | undefined;
}

const misconfigured = (message: string, cause?: unknown) =>
  new PlannerError(message, { code: 'PLANNER_CONFIGURATION', ...(cause === undefined ? {} : { cause }) });

const trimmed = (value: string | undefined) => value?.trim() || undefined;

const isModel = (value: unknown): value is LanguageModel =>
  typeof value === 'object' && value !== null && 'doStream' in value && 'specificationVersion' in value;

/** Refuses an address that no request can be made to, without repeating it: it may contain a password. */
function checkBaseUrl(baseUrl: string): void {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw misconfigured('SVC_MODEL_BASE_URL is not an HTTP URL; set one such as http://127.0.0.1:11434/v1.');
  if (url.username || url.password)
    throw misconfigured(
      'SVC_MODEL_BASE_URL contains a user name or password; set SVC_MODEL_API_KEY instead.',
    );
}

/** The code or name of an error. Its message stays out: a module that reads a key may repeat it there. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

async function fromModule(path: string): Promise<LanguageModel> {
  const url = path.startsWith('file:') ? path : pathToFileURL(path).href;
  let loaded: unknown;
  try {
    // webpack would look for the module in its bundle.
    loaded = await import(/* webpackIgnore: true */ url);
  } catch (error) {
    throw misconfigured(
      `The module "${path}" in SVC_MODEL cannot be loaded (${kindOf(error)}). Check the path, which is relative to the working directory, and run the file with node to see the whole error.`,
      error,
    );
  }
  const model =
    typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  if (!isModel(model))
    throw misconfigured(`The default export of "${path}" is not an AI SDK language model.`);
  return model;
}

async function fromAnthropic(
  name: string,
  baseURL: string | undefined,
  apiKey: string | undefined,
): Promise<LanguageModel> {
  if (!apiKey) throw misconfigured('SVC_MODEL names an Anthropic model; set SVC_MODEL_API_KEY to its key.');
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ apiKey, fetch: boundedFetch, ...(baseURL ? { baseURL } : {}) })(name);
}

async function fromOpenAiCompatible(
  name: string,
  baseURL: string | undefined,
  apiKey: string | undefined,
): Promise<LanguageModel> {
  if (!baseURL)
    throw misconfigured(
      'SVC_MODEL is set but SVC_MODEL_BASE_URL is not. Set it to an OpenAI-compatible URL such as https://api.openai.com/v1, or set SVC_MODEL=anthropic:<model>.',
    );
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: 'model',
    baseURL,
    includeUsage: true,
    fetch: boundedFetch,
    ...(apiKey ? { apiKey } : {}),
  })(name);
}

/**
 * Loads the model that the environment names, or returns `undefined` if `SVC_MODEL` is unset. Provider libraries are
 * loaded only when needed.
 * @throws PlannerError `PLANNER_CONFIGURATION` if a variable is missing or invalid; the error never contains the key
 */
export async function modelFromEnvironment(
  environment: ModelEnvironment,
): Promise<LanguageModel | undefined> {
  const name = trimmed(environment.SVC_MODEL);
  if (name === undefined) return undefined;
  const [baseUrl, key] = [trimmed(environment.SVC_MODEL_BASE_URL), trimmed(environment.SVC_MODEL_API_KEY)];
  if (/^(?:\.{1,2}[/\\]|[/\\]|file:|[a-z]:[/\\])/i.test(name)) return fromModule(name);
  if (baseUrl !== undefined) checkBaseUrl(baseUrl);
  if (name.startsWith('anthropic:')) return fromAnthropic(name.slice('anthropic:'.length), baseUrl, key);
  return fromOpenAiCompatible(name, baseUrl, key);
}
