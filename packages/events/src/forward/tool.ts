import {
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  TOOL_EVENT_NAME,
} from '@svc/contracts';
import type { AppEvent } from '@svc/contracts';
import type { Emission, ForwardFamily } from './forwarding.js';
import { readTool } from './read-tool.js';
import type { ReadTool } from './read-tool.js';
import type { Reporter } from './reporter.js';
import type { NormalizedEventForwardingState } from './state.js';
import { toolExtrasOf } from './tool-payload.js';

/** Forwards the start or end of a tool of any type, unless the id or the status is missing. */
export const forwardToolEvent: ForwardFamily = (event, state) => {
  const tool = readTool(event, state);
  if (!tool?.status) return undefined;
  followTool(state, tool);
  return {
    report: (reporter) => reports.get(tool.status)?.(reporter, tool),
    emission: () => emitAs(tool)?.(event, tool),
  };
};

/** Remembers a tool while it runs and forgets it when it ends. */
export function followTool(state: NormalizedEventForwardingState, tool: ReadTool): void {
  if (hasEnded(tool)) return state.dropTool(tool.id);
  const { name, toolType, agentName, swarmName } = tool;
  state.keepTool(tool.id, { name, toolType, agentName, swarmName });
}

type Report = (reporter: Reporter, tool: ReadTool) => unknown;

/** Reports the start of a tool. A model tool starts when it is nearly done, so only its end is reported. */
export const reportToolStart: Report = (reporter, tool) => {
  if (tool.toolType === 'model') return;
  const { name, id, toolType, agentName, swarmName, args } = tool;
  return reporter.reportToolStart?.({
    toolName: name,
    eventId: id,
    toolType,
    agentName,
    swarmName,
    toolArgs: args,
  });
};

/** Reports the completion of a tool. */
export const reportToolComplete: Report = (reporter, tool) => {
  const { name, id, agentName, swarmName, result, elapsedMs } = tool;
  if (tool.toolType !== 'model') return reporter.reportToolComplete?.({ eventId: id, result, elapsedMs });
  return reporter.reportModelToolComplete?.({ toolName: name, eventId: id, agentName, swarmName, result });
};

/** Reports the failure of a tool. */
export const reportToolError: Report = (reporter, { name, id, error, elapsedMs }) =>
  reporter.reportToolError?.({ toolName: name, eventId: id, error: error ?? 'Unknown error', elapsedMs });

const reports: ReadonlyMap<string, Report> = new Map([
  ['executing', reportToolStart],
  ['completed', reportToolComplete],
  ['failed', reportToolError],
  ['cancelled', reportToolError],
]);

/** Whether this event is the last of its call. */
const hasEnded = ({ status }: ReadTool) => status !== 'executing' && reports.has(status);

type Emit = (event: AppEvent, tool: ReadTool) => Emission;

/** System tools have their own events, and model tools are emitted only when they have ended. */
function emitAs(tool: ReadTool): Emit | undefined {
  if (tool.toolType === 'system') return systemEmits.get(tool.status);
  return tool.toolType === 'model' && !hasEnded(tool) ? undefined : emitToolEvent;
}

/** Emits a tool as a `tool_event`. */
export const emitToolEvent: Emit = (event, tool) => ({
  eventName: TOOL_EVENT_NAME,
  payload: {
    ...toolExtrasOf(event),
    tool_name: tool.name,
    tool_id: tool.id,
    tool_type: tool.toolType,
    status: tool.status,
    args: tool.args,
    result: tool.result,
    error: tool.error,
    agent_name: tool.agentName,
    swarm_name: tool.swarmName,
  },
});

const emitSystemStart: Emit = (event, tool) => ({
  eventName: SYSTEM_TOOL_START_EVENT_NAME,
  payload: {
    ...toolExtrasOf(event),
    tool_type: tool.name,
    tool_id: tool.id,
    params: tool.args,
    agent_name: tool.agentName,
    swarm_name: tool.swarmName,
  },
});

/** The scope was emitted when the tool started. */
const emitSystemComplete: Emit = (event, tool) => {
  const { scope: _, ...extras } = toolExtrasOf(event);
  return {
    eventName: SYSTEM_TOOL_COMPLETE_EVENT_NAME,
    payload: { ...extras, tool_id: tool.id, result: tool.result },
  };
};

const systemEmits: ReadonlyMap<string, Emit> = new Map([
  ['executing', emitSystemStart],
  ['completed', emitSystemComplete],
  ['failed', emitToolEvent],
  ['cancelled', emitToolEvent],
]);
