import type { AppEvent } from '@svc/contracts';
import { readCleanText, readFilledRecord, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { composeToolEvent } from '../payloads/tool.js';
import type { NormalizeContext } from './context.js';
import type { PendingModelTool } from './state.js';

/**
 * Normalizes a model tool, with which the model returns structured output. It is reported as executing and completes
 * with the turn, because its result is not final before that.
 */
export function normalizeModelTool(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const tool = {
    toolName: readCleanText(payload.tool_name) ?? 'model_tool',
    toolId: readCleanText(payload.event_id) ?? context.state.createId(),
  };
  context.state.deferModelTool(tool, readRecord(payload.result));
  return [composeModelTool(tool, { status: 'executing' }, context)];
}

/** Completes the pending model tools, in order. The last one carries the turn's structured result. */
export function completeModelTools(final: JsonRecord, context: NormalizeContext): AppEvent[] {
  const { state } = context;
  const pending = state.takeModelTools();
  const result = readFilledRecord(final.result) ?? state.lastModelToolResult;
  return pending.map((tool, index) =>
    composeModelTool(
      tool,
      { status: 'completed', result: index === pending.length - 1 ? result : undefined },
      context,
    ),
  );
}

function composeModelTool(
  tool: PendingModelTool,
  outcome: { status: string; result?: JsonRecord | undefined },
  context: NormalizeContext,
): AppEvent {
  return composeToolEvent({
    ...tool,
    ...outcome,
    toolType: 'model',
    agentName: context.agentName,
    swarmName: context.swarmName,
    ...context.participant,
  });
}
