import { confine, isSecretPath } from './confine.js';
import { runGit, type GitOptions } from './run-git.js';

/** The part of the history to read. `since` is a date (`2026-01-31`). */
export interface HistoryRange {
  path?: string | undefined;
  since?: string | undefined;
  limit: number;
}

const field = '\u001F';

async function pathspec(path: string | undefined, { root }: GitOptions): Promise<string[]> {
  return ['--', path === undefined ? '.' : (await confine(root, path)).relative];
}

const sinceArgument = (since: string | undefined) =>
  since === undefined ? [] : [`--since=${since}T00:00:00`];

/** Returns the last commits that touched a path, newest first. */
export async function gitHistory(range: HistoryRange, options: GitOptions) {
  const args = [
    'log',
    `-n${range.limit}`,
    '--no-color',
    `--format=%h${field}%as${field}%an${field}%s`,
    ...sinceArgument(range.since),
  ];
  const text = await runGit([...args, ...(await pathspec(range.path, options))], options);
  const commits = text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [commit = '', date = '', author = '', subject = ''] = line.split(field);
      return { commit, date, author, subject };
    });
  return { path: range.path ?? '.', commits };
}

/** Returns the files that most commits touched, with the number of commits. */
export async function mostChangedFiles(range: HistoryRange, options: GitOptions) {
  const args = [
    'log',
    '--no-color',
    '--no-renames',
    '--format=',
    '--name-only',
    '--relative',
    '-z',
    '-n5000',
    ...sinceArgument(range.since),
  ];
  const text = await runGit([...args, ...(await pathspec(range.path, options))], options);
  const counts = new Map<string, number>();
  for (const path of text.split(/[\0\n]/))
    if (path !== '' && !isSecretPath(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const files = [...counts].map(([path, commits]) => ({ path, commits }));
  return {
    files: files
      .toSorted((a, b) => b.commits - a.commits || (a.path < b.path ? -1 : 1))
      .slice(0, range.limit),
  };
}
