import { TOOL_EVENT_NAME } from '@svc/contracts/event-names';
import { present } from '../present.js';
import type { ToolKind } from '../tools/declaration/tool.js';
import type { ToolProgress } from '../tools/reports/tool-reports.js';
import { buildContractEvent, describeScope, type EventOrigin, type StreamEvent } from './stream-event.js';

/** A state of an invocation of a tool. */
export interface ToolEventParts {
  /** The id of the invocation. */
  readonly id: string;
  readonly toolName: string;
  readonly toolType: ToolKind;
  readonly status: 'executing' | 'completed' | 'failed' | 'cancelled';
  /** The planner's arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: string;
  readonly elapsedMs?: number;
  /** The progress of the call. */
  readonly progress?: ToolProgress;
  readonly origin: EventOrigin;
}

/** Builds a complete v1 `tool_event`. */
export function buildToolEvent(parts: ToolEventParts): StreamEvent {
  const { id, toolName, toolType, status, args, result = null, error = null, elapsedMs, origin } = parts;
  const extras = present({ elapsed_ms: elapsedMs, progress: parts.progress });
  return buildContractEvent(TOOL_EVENT_NAME, 'tool', {
    tool_name: toolName,
    tool_id: id,
    tool_type: toolType,
    status,
    args,
    result,
    error,
    agent_name: origin.agentName,
    swarm_name: origin.swarmName,
    participant_key: null,
    participant_name: null,
    participant_role: null,
    tool: { id, tool_id: id, name: toolName, type: toolType, status, args, result, error, ...extras },
    lifecycle: { phase: status },
    ...describeScope(origin),
  });
}
