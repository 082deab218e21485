import { statSync } from 'node:fs';
import type { RunStore } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { UsageError } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

function pathOf(file: string | undefined, environment: Environment): string | undefined {
  // A variable of the shell that is not set would keep the runs in memory without a word.
  if (file?.trim() === '') throw new UsageError('--store is empty; pass a file, or omit it.');
  return file?.trim() ?? (environment['SVC_STORE']?.trim() || undefined);
}

/** The store of a command: the file given, else `SVC_STORE`, else none (memory). The file is made if it is not there. */
export function openStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  return path ? sqliteRunStore({ path }) : undefined;
}

/**
 * As {@link openStore}, of a file that is one already.
 * @throws MaivnSDKError `STORE_UNAVAILABLE` when it is not there, or holds nothing
 */
export function openExistingStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  const size = path && sizeOf(path);
  // An empty file is a database to SQLite, which would make a store of it.
  if (path && !size)
    throw new MaivnSDKError(
      `${size === 0 ? `${path} is empty` : `There is no store ${path}`}; pass the file that the orchestrator uses.`,
      { code: 'STORE_UNAVAILABLE', details: { path } },
    );
  return openStore(path, environment);
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch (cause) {
    throw new MaivnSDKError(`${path} cannot be read; check the path and its permissions.`, {
      code: 'STORE_UNAVAILABLE',
      details: { path },
      cause,
    });
  }
}
