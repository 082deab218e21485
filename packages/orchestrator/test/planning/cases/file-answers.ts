import type { JsonObject } from '@svc/contracts';
import { fileToolbox } from '../demo-toolbox.js';
import type { Answers } from '../play.js';
import { within } from './planning-case.js';

/** The results of the tools in the file toolbox. */
export const fileAnswers: Answers = {
  list_files: (args) => ({ folder: args['folder'] ?? '.', total: 2, files: ['docs/a.md', 'docs/b.md'] }),
  search_files: (args) => ({
    query: args['query'] ?? '',
    total: 2,
    matches: [
      { path: 'src/bridge.ts', line: 3, text: 'class EventBridge {' },
      { path: 'src/use.ts', line: 9, text: 'new EventBridge()' },
    ],
  }),
  count_lines: (args): JsonObject =>
    String(args['path'] ?? '').includes('.')
      ? { path: args['path'] ?? '', lines: 120 }
      : {
          path: args['path'] ?? '.',
          files: 12,
          lines: 3400,
          by_extension: [{ extension: '.ts', files: 10, lines: 3000 }],
        },
  largest_files: (args) => ({
    files: [
      { path: 'src/big.ts', bytes: 9000 },
      { path: 'src/mid.ts', bytes: 500 },
      { path: 'x.md', bytes: 20 },
    ].slice(0, Number(args['limit'] ?? 10)),
  }),
  read_file: (args) => ({
    path: args['path'] ?? '',
    from_line: 1,
    total_lines: 2,
    text: 'first line\nsecond line',
  }),
  git_history: (args) => ({
    path: args['path'] ?? '.',
    commits: [
      { commit: 'abc123', date: '2026-03-01', author: 'Ada Lovelace', subject: 'Fix the engine' },
      { commit: 'def456', date: '2026-02-01', author: 'Grace Hopper', subject: 'Begin' },
    ],
  }),
  most_changed_files: {
    files: [
      { path: 'src/hot.ts', commits: 40 },
      { path: 'src/warm.ts', commits: 7 },
    ],
  },
  summarize_folder: (args) => ({ folder: args['folder'] ?? '.', files: 12, lines: 3400 }),
  sign_report: (args) => ({
    title: args['title'] ?? 'Folder report',
    text: '# R',
    signature: 'f00d',
    algorithm: 'HMAC-SHA256',
  }),
  write_report: { written: true, file: 'core.md', bytes: 55 },
};

/** Creates a case with the file toolbox. */
export const files = within(fileToolbox, fileAnswers);
