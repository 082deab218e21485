import type {
  FinalPayload,
  PendingCall,
  RunRecord,
  RunSummary,
  SessionSnapshot,
  SessionSummary,
} from '@svc/contracts/orchestrator';
import { interruptPayload } from './emit.js';
import type { CallState, SessionState } from '../record/session-state.js';
import { tokenUsage } from '../record/token-usage.js';

const iso = (timeMs: number) => new Date(timeMs).toISOString();

/** A run as lists show it. */
export function sessionSummary(run: RunSummary): SessionSummary {
  return {
    ...run.labels,
    session_id: run.sessionId,
    project_id: run.projectId,
    ...(run.threadId === undefined ? {} : { thread_id: run.threadId }),
    status: run.status,
    created_at: iso(run.createdAtMs),
    updated_at: iso(run.updatedAtMs),
    ...(run.endedAtMs === undefined ? {} : { ended_at: iso(run.endedAtMs) }),
  };
}

/** The state of a session, as clients read it. */
export function sessionSnapshot(
  record: RunRecord,
  state: SessionState,
  toolNames: ReadonlyMap<string, string>,
): SessionSnapshot {
  const final = state.final as FinalPayload | undefined;
  const usage = final ? final.token_usage : tokenUsage(state);
  const open = [...state.checkpoints.values()].filter(({ answer }) => !answer);
  return {
    ...sessionSummary(record),
    pending_calls: [...state.calls.values()].flatMap((call) => pendingCall(call, toolNames)),
    checkpoints: open.map((checkpoint) => interruptPayload(checkpoint, checkpoint.openedAtMs)),
    ...(usage ? { token_usage: usage } : {}),
    ...(final ? { final } : {}),
  };
}

function pendingCall(call: CallState, toolNames: ReadonlyMap<string, string>): PendingCall[] {
  const { call_id, tool_id, sentAtMs, expiresAtMs, outcome } = call;
  if (sentAtMs === undefined || outcome) return [];
  return [
    {
      tool_event_id: call_id,
      tool_id,
      tool_name: toolNames.get(tool_id) ?? tool_id,
      since: iso(sentAtMs),
      ...(expiresAtMs === undefined ? {} : { expires_at: iso(expiresAtMs) }),
    },
  ];
}
