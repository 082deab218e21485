import type { EnvironmentSource } from '../src/config/environment.js';

/** An environment in memory: variables, and files by absolute path. */
export function environmentTwin(
  variables: Record<string, string> = {},
  files: Record<string, string> = {},
): EnvironmentSource {
  return {
    variables,
    directory: '/work',
    readText(path) {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' });
      return text;
    },
  };
}
