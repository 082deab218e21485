import type { RunStore } from '@svc/contracts/orchestrator';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';

/** The store of a command: the file given, else `SVC_STORE`, else none (memory). */
export function openStore(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): RunStore | undefined {
  const path = file?.trim() || environment['SVC_STORE']?.trim();
  return path ? sqliteRunStore({ path }) : undefined;
}
