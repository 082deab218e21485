import { readNamedFile, type Environment, type EnvironmentSource } from '../config/environment.js';
import { ApiKey } from '../config/api-key.js';

/** The sources of an API key that a caller can name. */
export interface CredentialOptions {
  /** The key itself; it takes precedence over every other source. */
  apiKey?: string | undefined;
  /** A dotenv file that may set `SVC_API_KEY`, `SVC_API_KEY_FILE` and the endpoint settings. */
  envFile?: string | undefined;
  /** A file that contains only the key, on one line; it takes precedence over `SVC_API_KEY_FILE`. */
  apiKeyFile?: string | undefined;
}

/** Whether the caller named a source. */
export function hasCredentialOption(options: CredentialOptions): boolean {
  return options.apiKey != null || options.envFile != null || options.apiKeyFile != null;
}

/**
 * Finds the key: the explicit value, then `SVC_API_KEY` in the process environment, then in the dotenv file, then a key
 * file. A named file that cannot be read is an error even if a higher source has a key. Returns `undefined` without any
 * source.
 */
export function resolveApiKey(
  options: CredentialOptions,
  environment: Environment,
  source: EnvironmentSource,
): ApiKey | undefined {
  const { apiKeyFile } = options;
  const fromKeyFile = apiKeyFile == null ? undefined : readKeyFile(source, apiKeyFile, 'apiKeyFile');
  if (options.apiKey != null) return new ApiKey(options.apiKey, 'the apiKey option');
  const fromProcess = environment.fromProcess('SVC_API_KEY');
  if (fromProcess !== undefined) return new ApiKey(fromProcess, 'SVC_API_KEY');
  const fromFile = environment.fromFile('SVC_API_KEY');
  if (fromFile !== undefined) return new ApiKey(fromFile, 'SVC_API_KEY in the dotenv file');
  if (fromKeyFile) return fromKeyFile;
  const path = environment.get('SVC_API_KEY_FILE');
  return path === undefined ? undefined : readKeyFile(source, path, 'SVC_API_KEY_FILE');
}

function readKeyFile(source: EnvironmentSource, path: string, chosenBy: string): ApiKey {
  return new ApiKey(readNamedFile(source, path, chosenBy), `the key file named by ${chosenBy}`);
}
