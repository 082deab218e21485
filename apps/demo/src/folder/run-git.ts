import { execFile } from 'node:child_process';

/** What git needs to run: the folder, and a signal that stops it. */
export interface GitOptions {
  root: string;
  signal?: AbortSignal | undefined;
}

const limits = { maxBuffer: 16 * 1024 * 1024, timeout: 20_000 };

/**
 * Runs git without a shell and without the user's hooks, pager, prompts or external helpers, and without the program a
 * checkout names for fetching missing objects.
 * Paths must come after `--`; before it, `args` is fixed by the caller and never contains a planner's text.
 */
export function runGit(args: readonly string[], { root, signal }: GitOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    'git',
    [
      '--no-pager',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'log.showSignature=false',
      ...args,
    ],
    {
      ...limits,
      cwd: root,
      ...(signal ? { signal } : {}),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_LITERAL_PATHSPECS: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_LAZY_FETCH: '1',
      },
    },
    (error, stdout) =>
      error ? reject(new Error(`git ${args[0]} failed`, { cause: error })) : resolve(stdout),
  );
  return promise;
}
