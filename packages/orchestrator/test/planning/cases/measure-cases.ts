import { files } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

/** Requests to count and rank. */
export const measureCases: readonly PlanningCase[] = [
  files(
    'counts lines of a language',
    [
      'How many lines of TypeScript are there?',
      'Count the TypeScript lines',
      'count the lines of all ts files',
    ],
    [[call('count_lines', { extension: 'ts' })]],
    { says: ['3400', '3000'] },
  ),
  files(
    'counts lines of a folder',
    [
      'How many lines does packages/core have?',
      'Count the lines in packages/core/',
      'number of lines in the packages/core folder',
    ],
    [[call('count_lines', { path: 'packages/core' })]],
    { says: ['3400', 'packages/core'] },
  ),
  files(
    'counts lines of a well-known file',
    [
      'How many lines does the README have?',
      'Count the lines of README.md, please.',
      'How long is README.md?',
    ],
    [[call('count_lines', { path: 'README.md' })]],
    { says: ['120'] },
  ),
  files(
    'answers two questions about one file at once',
    [
      'How many lines does src/a.ts have and who changed it last?',
      'Count the lines of src/a.ts. Who touched it last?',
    ],
    [[call('count_lines', { path: 'src/a.ts' }), call('git_history', { path: 'src/a.ts' })]],
    { says: ['120', 'Ada Lovelace'] },
  ),
  files(
    'finds the largest files',
    [
      'What are the five biggest files?',
      'top 5 largest files',
      'Show me the 5 heaviest files',
      'what are teh 5 bigest files',
      'the 5 lragest files',
    ],
    [[call('largest_files', { limit: 5 })]],
    { says: ['src/big.ts', '9000'] },
  ),
  files(
    'names the one largest file',
    ['Which file is the largest?', 'What is the biggest file?'],
    [[call('largest_files')]],
    { says: [/The (largest|biggest) is `src\/big\.ts`/] },
  ),
  files(
    'finds the largest files of a folder by type',
    ['largest markdown files in docs', 'Find the biggest md files in the docs folder'],
    [[call('largest_files', { extension: 'md', folder: 'docs' })]],
  ),
  files(
    'finds the most changed files',
    ['Which files change most often?', 'What are the most changed files?', 'most frequently modified files'],
    [[call('most_changed_files')]],
    { says: ['src/hot.ts', '40'] },
  ),
  files(
    'writes no lead sentence that the results do not support',
    ['Which file has the most lines?'],
    [[call('most_changed_files')]],
    { saysNot: ['most lines is'] },
  ),
];
