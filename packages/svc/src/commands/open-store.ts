import { statSync } from 'node:fs';
import type { RunStore } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { UsageError } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

function pathOf(file: string | undefined, environment: Environment): string | undefined {
  // An unset shell variable would otherwise silently keep the runs in memory.
  if (file?.trim() === '') throw new UsageError('--store is empty; pass a file, or omit it.');
  return file?.trim() ?? (environment['SVC_STORE']?.trim() || undefined);
}

/** Opens a command's store: the given file, else `SVC_STORE`, else none (memory). Creates a missing file. */
export function openStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  return path ? sqliteRunStore({ path }) : undefined;
}

/**
 * Like {@link openStore}, but the file must already be a store.
 * @throws MaivnSDKError `STORE_UNAVAILABLE` if it is missing or empty
 */
export function openExistingStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  const size = path && sizeOf(path);
  // SQLite accepts an empty file as a database, so it would become a store.
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
