import { HOOK_FIRED_EVENT_NAME } from '@svc/contracts/event-names';
import type { HookReport } from '../hooks/hook.js';
import { buildContractEvent, type StreamEvent } from './stream-event.js';

/** Builds a complete v1 `hook_fired`. `source` is the owner of the hook. */
export function buildHookEvent(report: HookReport, source: 'tool' | 'scope' | 'swarm'): StreamEvent {
  const hook = {
    name: report.name,
    stage: report.stage,
    status: report.status,
    error: report.error,
    elapsed_ms: report.elapsedMs,
    target_type: report.targetType,
    target_id: report.targetId,
    target_name: report.targetName,
    source,
  };
  return buildContractEvent(HOOK_FIRED_EVENT_NAME, 'hook', { ...hook, hook });
}
