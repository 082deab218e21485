import { files } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

/** Requests to read, list and search files. */
export const findCases: readonly PlanningCase[] = [
  files(
    'reads a file when asked what is in it',
    ['What is in package.json?'],
    [[call('read_file', { path: 'package.json' })]],
  ),
  files(
    'lists a folder when asked what is in it',
    ['What is in the docs folder?', "what's inside docs/"],
    [[call('list_files', { folder: 'docs' })]],
  ),
  files(
    'treats "is there" as a search',
    ['Is there a TODO in src?', 'Are there any TODO in src?'],
    [[call('search_files', { folder: 'src', query: 'TODO' })]],
  ),
  files(
    'searches for a definition',
    ['Where is EventBridge defined?', 'Find where EventBridge is defined', 'search for EventBridge'],
    [[call('search_files', { query: 'EventBridge' })]],
    { says: ['src/bridge.ts', '3'] },
  ),
  files(
    'searches for a quoted phrase',
    ['Which files mention "private data"?', 'find "private data"', 'Search the files for “private data”'],
    [[call('search_files', { query: 'private data' })]],
  ),
  files(
    'searches in a folder',
    [
      'Search for TODO in packages/core',
      'find TODO in packages/core',
      'grep TODO in the packages/core folder',
    ],
    [[call('search_files', { folder: 'packages/core', query: 'TODO' })]],
  ),
  files(
    'searches for a phrase of several words',
    ['find files that mention read and write access'],
    [[call('search_files', { query: 'read and write access' })]],
  ),
  files(
    'searches with arguments given by name',
    [
      'search_files query=createOrchestrator folder=src limit=5',
      'search files with query: createOrchestrator, folder: src, limit: 5',
    ],
    [[call('search_files', { folder: 'src', limit: 5, query: 'createOrchestrator' })]],
  ),
  files(
    'reads a file',
    [
      'Show me package.json',
      'open package.json',
      'What does package.json say?',
      'read the file package.json',
    ],
    [[call('read_file', { path: 'package.json' })]],
    { says: ['second line', '```json'] },
  ),
  files(
    'reads a range of lines',
    ['Read lines 10 to 20 of src/a.ts', 'show lines 10-20 of src/a.ts', 'lines 10 to 20 of src/a.ts'],
    [[call('read_file', { from_line: 10, line_count: 11, path: 'src/a.ts' })]],
  ),
  files('reads a dotfile', ['Show .env', 'read the file .env'], [[call('read_file', { path: '.env' })]]),
  files(
    'reads a path that follows "file"',
    ['Read the file ../../../etc/passwd'],
    [[call('read_file', { path: '../../../etc/passwd' })]],
  ),
  files(
    'reads the first lines',
    ['Print the first 20 lines of src/a.ts'],
    [[call('read_file', { line_count: 20, path: 'src/a.ts' })]],
  ),
  files(
    'lists files',
    ['List the markdown files in docs', 'list all md files in the docs folder'],
    [[call('list_files', { extension: 'md', folder: 'docs' })]],
    { says: ['docs/a.md'] },
  ),
];
