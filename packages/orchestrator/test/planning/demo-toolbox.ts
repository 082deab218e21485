import type { JsonObject } from '@svc/contracts';
import { privateValue, resultOf, type ToolSketch } from './plan-fixtures.js';

const text = (description: string, rest: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...rest,
});
const limit = (fallback: number): JsonObject => ({
  type: 'integer',
  minimum: 1,
  maximum: 200,
  default: fallback,
  description: 'How many entries to return at most',
});
const folder = text('Folder to look in, relative to the root', { default: '.' });
const extension = text('Only files with this extension, such as ts or md');
const since = text('Only commits since this date', { format: 'date' });

/** Tools about files and their history, as the demo declares them. */
export const fileToolbox: readonly ToolSketch[] = [
  {
    name: 'list_files',
    description: 'List the files of a folder',
    properties: { folder, extension, limit: limit(50) },
    tags: ['read'],
  },
  {
    name: 'search_files',
    description:
      'Search the text of the files for a word or phrase: find where something is mentioned, used or defined',
    properties: {
      query: text('The word or phrase to find', { minLength: 1 }),
      folder,
      extension,
      limit: limit(20),
    },
    required: ['query'],
    tags: ['read'],
  },
  {
    name: 'count_lines',
    description: 'Count the lines of a file, or of all files in a folder by extension',
    properties: { path: text('File or folder, relative to the root', { default: '.' }), extension },
    tags: ['read'],
  },
  {
    name: 'largest_files',
    description: 'Find the largest (biggest) files by size in bytes',
    properties: { folder, extension, limit: limit(10) },
    tags: ['read'],
  },
  {
    name: 'read_file',
    description: 'Read or show the text of one file',
    properties: {
      path: text('Path of the file, relative to the root', { minLength: 1 }),
      from_line: { type: 'integer', minimum: 1, default: 1, description: 'First line to read' },
      line_count: {
        type: 'integer',
        minimum: 1,
        maximum: 400,
        default: 60,
        description: 'How many lines to read',
      },
    },
    required: ['path'],
    tags: ['read'],
  },
  {
    name: 'git_history',
    description:
      'Show the git history: the latest commits, with date, author and subject, of the whole project or of one path',
    properties: { path: text('Only commits that touched this file or folder'), since, limit: limit(10) },
    tags: ['read'],
  },
  {
    name: 'most_changed_files',
    description: 'Find the files that changed most often in the git history, by number of commits',
    properties: { path: text('Only files below this folder'), since, limit: limit(10) },
    tags: ['read'],
  },
  {
    name: 'summarize_folder',
    description:
      'Measure a folder for a summary: files, lines, largest files, most changed files, latest commits',
    properties: { folder: text('Folder to summarize, relative to the root', { default: '.' }) },
    tags: ['read'],
  },
  {
    name: 'sign_report',
    description: 'Draft a report from the summary of a folder and sign it, without writing a file',
    properties: {
      title: text('Title of the report', { maxLength: 80, default: 'Folder report' }),
      summary: resultOf('summarize_folder'),
      key: privateValue('report_signing_key'),
    },
    required: ['summary', 'key'],
    tags: ['read'],
  },
  {
    name: 'write_report',
    description: 'Write (save) the signed report as a file, after the person agreed',
    properties: {
      report: resultOf('sign_report'),
      approved: {
        type: 'interrupt_dependency',
        prompt: 'Write it?',
        data_key: 'approved',
        input_type: 'boolean',
      },
    },
    required: ['report', 'approved'],
    tags: ['write'],
  },
];
