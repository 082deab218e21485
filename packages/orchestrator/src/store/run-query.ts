import type { RunQuery, RunRecord, RunSummary } from '@svc/contracts/orchestrator';

/**
 * Whether the owner may take the run now: it has not ended, and it is the owner's own, free, or its lease has expired.
 */
export function isClaimable(run: RunRecord, { owner, nowMs }: { owner: string; nowMs: number }): boolean {
  if (run.endedAtMs !== undefined) return false;
  return run.owner === undefined || run.owner === owner || (run.leaseUntilMs ?? 0) <= nowMs;
}

/** Whether a run belongs in a list. */
export function matchesRunQuery(run: RunRecord, query: RunQuery): boolean {
  const { projectId, threadId, ended, claimableBy, before } = query;
  if (projectId !== undefined && run.projectId !== projectId) return false;
  if (threadId !== undefined && run.threadId !== threadId) return false;
  if (ended !== undefined && (run.endedAtMs !== undefined) !== ended) return false;
  if (claimableBy !== undefined && !isClaimable(run, claimableBy)) return false;
  return before === undefined || compareRuns(before, run) < 0;
}

/** Newest first; runs of the same millisecond by id. */
export function compareRuns(
  left: { createdAtMs: number; sessionId: string },
  right: { createdAtMs: number; sessionId: string },
): number {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? 1 : -1;
}

/** The fields of a run that lists show. */
export function summarize(run: RunRecord): RunSummary {
  const { sessionId, projectId, keyId, threadId, status, createdAtMs, updatedAtMs, endedAtMs, labels } = run;
  return {
    sessionId,
    projectId,
    keyId,
    status,
    createdAtMs,
    updatedAtMs,
    labels,
    ...(threadId === undefined ? {} : { threadId }),
    ...(endedAtMs === undefined ? {} : { endedAtMs }),
  };
}
