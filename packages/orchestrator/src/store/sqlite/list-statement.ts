import type { RunQuery } from '@svc/contracts/orchestrator';

const summaryColumns = `session_id, project_id, key_id, thread_id, status, labels, created_at_ms, updated_at_ms,
  ended_at_ms`;

type Condition = [sql: string, ...values: (string | number)[]];

/** The statement that lists runs, newest first, with its parameters. */
export function listStatement({ projectId, threadId, ended, claimableBy, before, limit }: RunQuery): {
  sql: string;
  values: (string | number)[];
} {
  const conditions: Condition[] = [];
  if (projectId !== undefined) conditions.push(['project_id = ?', projectId]);
  if (threadId !== undefined) conditions.push(['thread_id = ?', threadId]);
  if (ended === false || claimableBy) conditions.push(['ended_at_ms IS NULL']);
  if (ended === true) conditions.push(['ended_at_ms IS NOT NULL']);
  if (claimableBy) {
    const { owner, nowMs } = claimableBy;
    conditions.push(['(owner IS NULL OR owner = ? OR lease_until_ms <= ?)', owner, nowMs]);
  }
  if (before) conditions.push(['(created_at_ms, session_id) < (?, ?)', before.createdAtMs, before.sessionId]);
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '';
  return {
    sql: `SELECT ${summaryColumns} FROM runs ${where} ORDER BY created_at_ms DESC, session_id DESC LIMIT ?`,
    values: [...conditions.flatMap(([, ...each]) => each), limit],
  };
}
