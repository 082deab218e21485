import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSecretPath } from './confine.js';
import { runGit, type GitOptions } from './run-git.js';

const skippedFolders = new Set(['.git', 'node_modules', 'dist', '.turbo', '.cache', 'coverage']);
const maxPaths = 50_000;

async function walk(root: string, folder: string, found: string[], signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (found.length >= maxPaths) return;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) await walk(root, path, found, signal);
    else if (entry.isFile()) found.push(path);
  }
}

/** Paths that git tracks or would add may be links or submodules, or may have been deleted. */
async function onlyFiles(root: string, paths: readonly string[]): Promise<string[]> {
  const isFile = await Promise.all(
    paths.map((path) =>
      lstat(join(root, path)).then(
        (entry) => entry.isFile(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => isFile[index]);
}

/**
 * Returns every file of the folder that git does not ignore, sorted, without secrets and links. A folder that is not a
 * git checkout is walked instead, without build output and dependencies. At most 50,000 paths.
 */
export async function listPaths(options: GitOptions): Promise<string[]> {
  const listed = await runGit(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'],
    options,
  ).catch(() => undefined);
  const found: string[] = [];
  if (listed === undefined) await walk(options.root, '', found, options.signal);
  const paths = [...new Set(listed?.split('\0').filter(Boolean) ?? found)]
    .filter((path) => !isSecretPath(path))
    .slice(0, maxPaths)
    .toSorted();
  return listed === undefined ? paths : onlyFiles(options.root, paths);
}

/** Narrows paths to a folder (`.` is all) and to an extension (`ts` or `.ts`, in any case). */
export function narrowPaths(
  paths: readonly string[],
  { folder = '.', extension }: { folder?: string | undefined; extension?: string | undefined },
): string[] {
  const prefix = folder === '.' || folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const ending = extension ? `.${extension.replace(/^[*.]+/, '').toLowerCase()}` : '';
  return paths.filter(
    (path) => (path.startsWith(prefix) || path === folder) && path.toLowerCase().endsWith(ending),
  );
}
