import { files } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

/** Several calls: side by side, one after the other, and with what another found. */
export const chainCases: readonly PlanningCase[] = [
  files(
    'fills a producer from the words that ask for it',
    ['Please write and sign a report titled "Weekly" on src'],
    [
      [call('summarize_folder', { folder: 'src' })],
      [call('sign_report', { title: 'Weekly' })],
      [call('write_report')],
    ],
    { says: ['core.md'] },
  ),
  files(
    'shows the history of as many as were asked for',
    ['Find the 2 largest files and show their history'],
    [
      [call('largest_files', { limit: 2 })],
      [call('git_history', { path: 'src/big.ts' }), call('git_history', { path: 'src/mid.ts' })],
    ],
  ),
  files(
    'reads what another tool found',
    ['Read the largest file', 'Find the largest file and show it', 'Find the biggest file, then read it'],
    [[call('largest_files')], [call('read_file', { path: 'src/big.ts' })]],
    { says: ['second line'] },
  ),
  files(
    'counts what another tool found',
    ['How many lines does the largest file have?', 'Count the lines of the largest file'],
    [[call('largest_files')], [call('count_lines', { path: 'src/big.ts' })]],
    { says: ['120', 'src/big.ts'] },
  ),
  files(
    'looks into several findings',
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
    'runs one call for each thing named',
    ['Count the lines of a.ts and b.ts', 'How many lines do a.ts and b.ts have?'],
    [[call('count_lines', { path: 'a.ts' }), call('count_lines', { path: 'b.ts' })]],
    { says: ['a.ts', 'b.ts'] },
  ),
  files(
    'runs independent questions together',
    [
      'Show the largest files, the most changed files and the latest commits',
      'Show me the largest files. List the most changed files. Show the latest commits.',
    ],
    [[call('largest_files'), call('most_changed_files'), call('git_history')]],
    { says: ['src/big.ts', 'src/hot.ts', 'abc123'] },
  ),
  files(
    'understands "their" as the place named before',
    ['List the ts files in src and count their lines'],
    [
      [
        call('list_files', { extension: 'ts', folder: 'src' }),
        call('count_lines', { extension: 'ts', path: 'src' }),
      ],
    ],
  ),
  files(
    'takes a place from the sentence before',
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
    'heeds what is not wanted',
    ['Draft a signed report about docs without saving it', 'Sign a report about docs, but do not write it'],
    [[call('summarize_folder', { folder: 'docs' })], [call('sign_report')]],
    { says: ['f00d'] },
  ),
  files(
    'uses a producer that was asked for by itself',
    ['Summarize the docs folder and write the report'],
    [[call('summarize_folder', { folder: 'docs' })], [call('sign_report')], [call('write_report')]],
    { says: ['3400', 'core.md'] },
  ),
];
