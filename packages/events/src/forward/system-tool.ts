import { readCleanText, readRecord, readStreamText } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';
import { readTool } from './read-tool.js';
import { emitToolEvent, followTool, reportToolComplete, reportToolError, reportToolStart } from './tool.js';

/** Forwards the start of a system tool. The flat `tool_type` of this event is the tool's name. */
export const forwardSystemToolStart: ForwardFamily = (event, state) => {
  const nested = readRecord(event.tool);
  const name =
    readCleanText(event.tool_name) ?? readCleanText(nested?.name) ?? readCleanText(event.tool_type);
  const read = readTool(event, state);
  if (read === undefined || name === undefined) return undefined;
  const tool = { ...read, name, toolType: 'system', status: 'executing' };
  followTool(state, tool);
  return {
    report: (reporter) => reportToolStart(reporter, tool),
    emission: () => ({
      payload: {
        ...payloadOf(event),
        tool_type: name,
        tool_id: tool.id,
        agent_name: tool.agentName,
        swarm_name: tool.swarmName,
      },
    }),
  };
};

/** Forwards the progress of a system tool. */
export const forwardSystemToolChunk: ForwardFamily = (event, state) => {
  const tool = readTool(event, state);
  if (tool === undefined) return undefined;
  const toolName = state.toolContextById.get(tool.id)?.name ?? 'system_tool';
  const text = readStreamText(event.text) ?? readStreamText(readRecord(event.chunk)?.text) ?? '';
  return {
    report: (reporter) => {
      const chunkCount = state.countChunk(tool.id);
      return reporter.reportSystemToolProgress?.({
        eventId: tool.id,
        toolName,
        chunkCount,
        elapsedSeconds: 0,
        text,
      });
    },
    emission: () => ({
      payload: { ...payloadOf(event), tool_id: tool.id },
    }),
  };
};

/** Forwards the completion of a system tool. */
export const forwardSystemToolComplete: ForwardFamily = (event, state) => {
  const read = readTool(event, state);
  if (read === undefined) return undefined;
  const tool = { ...read, toolType: 'system', status: 'completed' };
  followTool(state, tool);
  return {
    report: (reporter) => reportToolComplete(reporter, tool),
    emission: () => ({
      payload: { ...payloadOf(event), tool_id: tool.id },
    }),
  };
};

/** Forwards the failure of a system tool. The bridge gets a failed `tool_event`. */
export const forwardSystemToolError: ForwardFamily = (event, state) => {
  const read = readTool(event, state);
  if (read === undefined) return undefined;
  const name =
    state.toolContextById.get(read.id)?.name ??
    readCleanText(event.tool_name) ??
    readCleanText(readRecord(event.tool)?.name) ??
    'system_tool';
  const tool = { ...read, name, toolType: 'system', status: 'failed' };
  followTool(state, tool);
  return {
    report: (reporter) => reportToolError(reporter, tool),
    emission: () => emitToolEvent(event, tool),
  };
};
