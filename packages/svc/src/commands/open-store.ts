import { existsSync } from 'node:fs';
import type { RunStore } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';

type Environment = Readonly<Record<string, string | undefined>>;

const pathOf = (file: string | undefined, environment: Environment) =>
  file?.trim() || environment['SVC_STORE']?.trim();

/** The store of a command: the file given, else `SVC_STORE`, else none (memory). The file is made if it is not there. */
export function openStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  return path ? sqliteRunStore({ path }) : undefined;
}

/** As {@link openStore}, of a file that is there already. @throws MaivnSDKError `STORE_UNAVAILABLE` when it is not */
export function openExistingStore(file: string | undefined, environment: Environment): RunStore | undefined {
  const path = pathOf(file, environment);
  if (path && !existsSync(path))
    throw new MaivnSDKError(`There is no store ${path}; give the file that the orchestrator uses.`, {
      code: 'STORE_UNAVAILABLE',
      details: { path },
    });
  return openStore(path, environment);
}
