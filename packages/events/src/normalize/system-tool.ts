import type { AppEvent } from '@svc/contracts';
import {
  readCleanText,
  readFilledRecord,
  readNumber,
  readRecord,
  readStreamText,
} from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildSystemToolChunkPayload } from '../payloads/system-tool.js';
import { composeToolEvent } from '../payloads/tool.js';
import type { ToolEventArguments } from '../payloads/tool.js';
import type { NormalizeContext } from './context.js';

/** The orchestrator's own re-planning step, which is reported by an enrichment and never shown as a tool. */
const internalToolName = 'reevaluate';

/** Normalizes the start of a system tool. */
export function normalizeSystemToolStart(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const toolName = readToolName(payload);
  const toolId = readInvocationId(payload) ?? context.state.createId();
  if (toolName === internalToolName) {
    context.state.hideTool(toolId);
    return [];
  }
  const args = readFilledRecord(payload.params) ?? readRecord(payload.args);
  return [composeSystemTool({ toolName, toolId, status: 'executing', args }, context)];
}

/** Normalizes the progress of a system tool. */
export function normalizeSystemToolChunk(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const text = readStreamText(payload.text);
  const toolId = readInvocationId(payload) ?? 'system_tool';
  if (text === undefined || isHidden(payload, toolId, context)) return [];
  return [buildSystemToolChunkPayload({ toolId, text, progress: readNumber(payload.progress) })];
}

/** Normalizes the completion of a system tool. */
export function normalizeSystemToolComplete(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const toolName = readToolName(payload);
  const toolId = readInvocationId(payload) ?? toolName;
  if (isHidden(payload, toolId, context)) return [];
  return [composeSystemTool({ toolName, toolId, status: 'completed', result: payload.result }, context)];
}

/** Normalizes the failure of a system tool. */
export function normalizeSystemToolError(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const toolName = readToolName(payload);
  const toolId = readInvocationId(payload) ?? toolName;
  if (isHidden(payload, toolId, context)) return [];
  const error = readCleanText(payload.error) ?? 'Unknown error';
  return [composeSystemTool({ toolName, toolId, status: 'failed', error }, context)];
}

const readToolName = (payload: JsonRecord) => readCleanText(payload.tool_name) ?? 'system_tool';

const readInvocationId = (payload: JsonRecord) =>
  readCleanText(payload.assignment_id) ?? readCleanText(payload.tool_id);

function isHidden(payload: JsonRecord, toolId: string, context: NormalizeContext): boolean {
  return readToolName(payload) === internalToolName || context.state.isHiddenTool(toolId);
}

function composeSystemTool(tool: ToolEventArguments, context: NormalizeContext): AppEvent {
  return composeToolEvent({
    ...tool,
    toolType: 'system',
    agentName: context.agentName,
    swarmName: context.swarmName,
    ...context.participant,
  });
}
