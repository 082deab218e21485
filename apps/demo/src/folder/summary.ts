import { gitHistory, mostChangedFiles } from './history.js';
import { countLines, largestFiles } from './inspect.js';
import type { GitOptions } from './run-git.js';

/** The facts in a report on a folder: its size, its largest files and its recent history. */
export interface FolderSummary {
  folder: string;
  files: number;
  lines: number;
  by_extension: { extension: string; files: number; lines: number }[];
  largest: { path: string; bytes: number }[];
  most_changed: { path: string; commits: number }[];
  latest_commits: { commit: string; date: string; author: string; subject: string }[];
}

const listed = 5;

/** Measures a folder. Without git history, the lists of commits are empty. */
export async function summarizeFolder(folder: string, options: GitOptions): Promise<FolderSummary> {
  const [count, largest, changed, history] = await Promise.all([
    countLines({ path: folder }, options),
    largestFiles({ folder, limit: listed }, options),
    mostChangedFiles({ path: folder, limit: listed }, options).catch(() => ({ files: [] })),
    gitHistory({ path: folder, limit: listed }, options).catch(() => ({ commits: [] })),
  ]);
  return {
    folder,
    files: count.files ?? 1,
    lines: count.lines,
    by_extension: count.by_extension ?? [],
    largest: largest.files,
    most_changed: changed.files,
    latest_commits: history.commits,
  };
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Renders a summary as a Markdown report. */
export function renderReport(title: string, summary: FolderSummary): string {
  const sections = [
    `# ${title}`,
    `\`${summary.folder}\` has ${summary.files} files with ${summary.lines} lines.`,
    '## By extension',
    table(
      ['extension', 'files', 'lines'],
      summary.by_extension.map((row) => [row.extension, row.files, row.lines]),
    ),
    '## Largest files',
    table(
      ['path', 'bytes'],
      summary.largest.map((row) => [row.path, row.bytes]),
    ),
    '## Most changed files',
    table(
      ['path', 'commits'],
      summary.most_changed.map((row) => [row.path, row.commits]),
    ),
    '## Latest commits',
    table(
      ['commit', 'date', 'author', 'subject'],
      summary.latest_commits.map((row) => [row.commit, row.date, row.author, row.subject]),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}
