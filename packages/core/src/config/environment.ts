import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'dotenv';
import { ConfigurationError } from './errors.js';

/** The only environment variables that the SDK reads. */
export type EnvironmentName =
  | 'SVC_API_KEY'
  | 'SVC_API_KEY_FILE'
  | 'SVC_BASE_URL'
  | 'SVC_PROJECT_ID'
  | 'SVC_TIMEZONE'
  | 'SVC_TIMEOUT_MS';

/** Sources of settings: the process's environment variables, its working directory and its files. */
export interface EnvironmentSource {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Relative paths are resolved against this directory. */
  readonly directory: string;
  readText(path: string): string;
}

/** The process's own environment, read on demand and never written. */
export const processEnvironment: EnvironmentSource = {
  get variables() {
    return process.env;
  },
  get directory() {
    return process.cwd();
  },
  readText: (path) => readFileSync(path, 'utf8'),
};

/** Settings by name, from the process environment first, then from the selected dotenv file. Blank means unset. */
export interface Environment {
  get(name: EnvironmentName): string | undefined;
  /** Reads only the process environment. */
  fromProcess(name: EnvironmentName): string | undefined;
  /** Reads only the selected dotenv file. */
  fromFile(name: EnvironmentName): string | undefined;
}

/** Reads the environment and the dotenv file, if one is named. Changes neither. */
export function readEnvironment(source: EnvironmentSource, envFile?: string | null): Environment {
  const file = envFile == null ? {} : parse(readNamedFile(source, envFile, 'envFile'));
  const fromProcess = (name: EnvironmentName) => blankAsUnset(source.variables[name]);
  const fromFile = (name: EnvironmentName) => blankAsUnset(file[name]);
  return { fromProcess, fromFile, get: (name) => fromProcess(name) ?? fromFile(name) };
}

/** Reads the file that the named option or variable points to. Errors never contain its contents. */
export function readNamedFile(source: EnvironmentSource, path: string, chosenBy: string): string {
  try {
    return source.readText(resolve(source.directory, path));
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigurationError(
      `The file '${path}' named by ${chosenBy} cannot be read (${reason}). Check the path; relative paths are resolved against the working directory.`,
      { code: 'CONFIG_FILE_UNREADABLE', details: { path, chosen_by: chosenBy, reason } },
    );
  }
}

function blankAsUnset(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}
