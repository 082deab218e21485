import type { Agent } from '@svc/core';
import { z } from 'zod';
import { gitHistory, mostChangedFiles } from '../folder/history.js';
import { countLines, largestFiles, listFiles, readFilePart, searchFiles } from '../folder/inspect.js';

const limit = (fallback: number) =>
  z.int().min(1).max(200).default(fallback).describe('How many entries to return at most');
const folder = z.string().default('.').describe('Folder to look in, relative to the root');
const extension = z.string().optional().describe('Only files with this extension, such as ts or md');
const since = z.iso.date().optional().describe('Only commits since this date');

/** Gives an agent the tools that inspect files. They run in this process and read only inside `root`. */
export function addFileTools(agent: Agent, root: string): void {
  agent.toolify(
    {
      name: 'list_files',
      description: 'List the files of a folder',
      input: z.object({ folder, extension, limit: limit(50) }),
      permissions: ['read'],
    },
    (input, { signal }) => listFiles(input, { root, signal }),
  );
  agent.toolify(
    {
      name: 'search_files',
      description:
        'Search the text of the files for a word or phrase: find where something is mentioned, used or defined',
      input: z.object({
        query: z.string().min(1).describe('The word or phrase to find'),
        folder,
        extension,
        limit: limit(20),
      }),
      permissions: ['read'],
    },
    (input, { signal }) => searchFiles(input, { root, signal }),
  );
  agent.toolify(
    {
      name: 'count_lines',
      description: 'Count the lines of a file, or of all files in a folder by extension',
      input: z.object({
        path: z.string().default('.').describe('File or folder, relative to the root'),
        extension,
      }),
      permissions: ['read'],
    },
    (input, { signal }) => countLines(input, { root, signal }),
  );
  agent.toolify(
    {
      name: 'largest_files',
      description: 'Find the largest (biggest) files by size in bytes',
      input: z.object({ folder, extension, limit: limit(10) }),
      permissions: ['read'],
    },
    (input, { signal }) => largestFiles(input, { root, signal }),
  );
  agent.toolify(
    {
      name: 'read_file',
      description: 'Read or show the text of one file',
      input: z.object({
        path: z.string().min(1).describe('Path of the file, relative to the root'),
        from_line: z.int().min(1).default(1).describe('First line to read'),
        line_count: z.int().min(1).max(400).default(60).describe('How many lines to read'),
      }),
      permissions: ['read'],
    },
    ({ path, from_line: fromLine, line_count: lineCount }, { signal }) =>
      readFilePart({ path, fromLine, lineCount }, { root, signal }),
  );
}

/** Gives an agent the tools that read the git history of `root`. */
export function addHistoryTools(agent: Agent, root: string): void {
  agent.toolify(
    {
      name: 'git_history',
      description:
        'Show the git history: the latest commits, with date, author and subject, of the whole project or of one path',
      input: z.object({
        path: z.string().optional().describe('Only commits that touched this file or folder'),
        since,
        limit: limit(10),
      }),
      permissions: ['read'],
    },
    (input, { signal }) => gitHistory(input, { root, signal }),
  );
  agent.toolify(
    {
      name: 'most_changed_files',
      description: 'Find the files that changed most often in the git history, by number of commits',
      input: z.object({
        path: z.string().optional().describe('Only files below this folder'),
        since,
        limit: limit(10),
      }),
      permissions: ['read'],
    },
    (input, { signal }) => mostChangedFiles(input, { root, signal }),
  );
}
