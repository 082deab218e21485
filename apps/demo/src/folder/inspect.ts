import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ToolError } from '@svc/core';
import { confine } from './confine.js';
import { listPaths, narrowPaths } from './list-paths.js';
import { countTextLines, readText } from './read-text.js';
import type { GitOptions } from './run-git.js';

/** The files to inspect. */
export interface Selection {
  folder?: string | undefined;
  extension?: string | undefined;
}

const longestLine = 200;

async function select(
  selection: Selection,
  options: GitOptions,
): Promise<{ folder: string; paths: string[] }> {
  const { relative } = await confine(options.root, selection.folder ?? '.');
  return {
    folder: relative,
    paths: narrowPaths(await listPaths(options), { ...selection, folder: relative }),
  };
}

/** When many files are read, one that vanished or links elsewhere is skipped. */
const readIfReadable = (root: string, path: string) => readText(root, path).catch(() => undefined);

/** Returns at most `limit` files of a folder, and the total number. */
export async function listFiles(selection: Selection & { limit: number }, options: GitOptions) {
  const { folder, paths } = await select(selection, options);
  return { folder, total: paths.length, files: paths.slice(0, selection.limit) };
}

/** Returns lines that contain `query`, ignoring case, with their path and line number. */
export async function searchFiles(
  { query, limit, ...selection }: Selection & { query: string; limit: number },
  options: GitOptions,
) {
  const { paths } = await select(selection, options);
  const wanted = query.toLowerCase();
  const matches: { path: string; line: number; text: string }[] = [];
  let total = 0;
  for (const path of paths) {
    options.signal?.throwIfAborted();
    const text = await readIfReadable(options.root, path);
    if (!text?.toLowerCase().includes(wanted)) continue;
    for (const [index, line] of text.split('\n').entries()) {
      if (!line.toLowerCase().includes(wanted)) continue;
      total += 1;
      if (matches.length < limit)
        matches.push({ path, line: index + 1, text: line.trim().slice(0, longestLine) });
    }
  }
  return { query, total, matches };
}

/** Returns the number of files and lines of a file or folder, in total and per extension. */
export async function countLines(
  { path, extension }: { path: string; extension?: string | undefined },
  options: GitOptions,
) {
  const { folder, paths } = await select({ folder: path, extension }, options);
  const byExtension = new Map<string, { extension: string; files: number; lines: number }>();
  let [files, lines] = [0, 0];
  for (const each of paths) {
    options.signal?.throwIfAborted();
    const text = await readIfReadable(options.root, each);
    if (text === undefined) continue;
    const count = countTextLines(text);
    const key = extname(each) || '(none)';
    const row = byExtension.get(key) ?? { extension: key, files: 0, lines: 0 };
    byExtension.set(key, { ...row, files: row.files + 1, lines: row.lines + count });
    files += 1;
    lines += count;
  }
  const rows = [...byExtension.values()].toSorted((a, b) => b.lines - a.lines);
  return files === 1 && paths[0] === folder
    ? { path: folder, lines }
    : { path: folder, files, lines, by_extension: rows.slice(0, 10) };
}

/** Returns the largest files by bytes, largest first. */
export async function largestFiles(
  { limit, ...selection }: Selection & { limit: number },
  options: GitOptions,
) {
  const { paths } = await select(selection, options);
  const sized: { path: string; bytes: number }[] = [];
  for (const path of paths) {
    options.signal?.throwIfAborted();
    const info = await confine(options.root, path)
      .then(({ absolute }) => stat(absolute))
      .catch(() => undefined);
    if (info?.isFile()) sized.push({ path, bytes: info.size });
  }
  return { files: sized.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, limit) };
}

/** Returns a range of lines of a text file (the first is 1). */
export async function readFilePart(
  { path, fromLine, lineCount }: { path: string; fromLine: number; lineCount: number },
  { root }: GitOptions,
) {
  const { relative } = await confine(root, path);
  const text = await readText(root, path);
  if (text === undefined)
    throw new ToolError(`"${relative}" is not a text file of at most 2 MiB.`, { code: 'FILE_NOT_TEXT' });
  const lines = text.split('\n');
  return {
    path: relative,
    from_line: fromLine,
    total_lines: countTextLines(text),
    text: lines.slice(fromLine - 1, fromLine - 1 + lineCount).join('\n'),
  };
}
