import type { ToolLogLine } from '../tools/reports/tool-reports.js';
import { buildContractEvent, describeScope, type EventOrigin, type StreamEvent } from './stream-event.js';

/** The name of the custom event for log lines of tools. */
const TOOL_LOG_EVENT_NAME = 'tool_log';

/** Builds a custom event of contract v1 for a log line of a tool. */
export function buildToolLogEvent(
  call: { readonly id: string; readonly toolName: string },
  line: ToolLogLine,
  origin: EventOrigin,
): StreamEvent {
  return buildContractEvent(TOOL_LOG_EVENT_NAME, 'custom', {
    tool_id: call.id,
    tool_name: call.toolName,
    level: line.level,
    message: line.message,
    source: line.source ?? null,
    ...describeScope(origin),
  });
}
