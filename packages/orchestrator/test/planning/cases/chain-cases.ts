import { files } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

/** Several calls: in parallel, in sequence, and with the results of other calls. */
export const chainCases: readonly PlanningCase[] = [
  files(
    'fills the arguments of producers from the request',
    ['Please write and sign a report titled "Weekly" on src'],
    [
      [call('summarize_folder', { folder: 'src' })],
      [call('sign_report', { title: 'Weekly' })],
      [call('write_report')],
    ],
    { says: ['core.md'] },
  ),
  files(
    'shows the history of as many files as the request asks for',
    ['Find the 2 largest files and show their history'],
    [
      [call('largest_files', { limit: 2 })],
      [call('git_history', { path: 'src/big.ts' }), call('git_history', { path: 'src/mid.ts' })],
    ],
  ),
  files(
    'reads the file that another tool found',
    ['Read the largest file', 'Find the largest file and show it', 'Find the biggest file, then read it'],
    [[call('largest_files')], [call('read_file', { path: 'src/big.ts' })]],
    { says: ['second line'] },
  ),
  files(
    'counts the lines of the file that another tool found',
    ['How many lines does the largest file have?', 'Count the lines of the largest file'],
    [[call('largest_files')], [call('count_lines', { path: 'src/big.ts' })]],
    { says: ['120', 'src/big.ts'] },
  ),
  files(
    'counts the lines of several files that another tool found',
    ['Count the lines of the 3 largest files'],
    [
      [call('largest_files', { limit: 3 })],
      [
        call('count_lines', { path: 'src/big.ts' }),
        call('count_lines', { path: 'src/mid.ts' }),
        call('count_lines', { path: 'x.md' }),
      ],
    ],
    { says: ['src/big.ts', 'x.md'] },
  ),
  files(
    'shows the first match of a search',
    ['Search for bridge and show me the first match'],
    [[call('search_files', { query: 'bridge' })], [call('read_file', { path: 'src/bridge.ts' })]],
  ),
  files(
    'makes one call for each file named',
    ['Count the lines of a.ts and b.ts', 'How many lines do a.ts and b.ts have?'],
    [[call('count_lines', { path: 'a.ts' }), call('count_lines', { path: 'b.ts' })]],
    { says: ['a.ts', 'b.ts'] },
  ),
  files(
    'runs the calls for independent questions together',
    [
      'Show the largest files, the most changed files and the latest commits',
      'Show me the largest files. List the most changed files. Show the latest commits.',
    ],
    [[call('largest_files'), call('most_changed_files'), call('git_history')]],
    { says: ['src/big.ts', 'src/hot.ts', 'abc123'] },
  ),
  files(
    'takes "their" to mean the folder named before',
    ['List the ts files in src and count their lines'],
    [
      [
        call('list_files', { extension: 'ts', folder: 'src' }),
        call('count_lines', { extension: 'ts', path: 'src' }),
      ],
    ],
  ),
  files(
    'takes a folder from the previous sentence',
    ['Look at packages/core. How many lines does it have?'],
    [[call('count_lines', { path: 'packages/core' })]],
  ),
  files(
    'runs producers before their consumer',
    [
      'Write a signed report about packages/core titled "Core"',
      'Save a report on packages/core called "Core"',
    ],
    [
      [call('summarize_folder', { folder: 'packages/core' })],
      [call('sign_report', { title: 'Core' })],
      [call('write_report')],
    ],
    { says: ['core.md'] },
  ),
  files(
    'skips a step that the request excludes',
    ['Draft a signed report about docs without saving it', 'Sign a report about docs, but do not write it'],
    [[call('summarize_folder', { folder: 'docs' })], [call('sign_report')]],
    { says: ['f00d'] },
  ),
  files(
    'runs a producer once if the request also asks for it',
    ['Summarize the docs folder and write the report'],
    [[call('summarize_folder', { folder: 'docs' })], [call('sign_report')], [call('write_report')]],
    { says: ['3400', 'core.md'] },
  ),
];
