import {
  APP_EVENT_CONTRACT_VERSION,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
} from '@svc/contracts';
import { composeToolScope, withContext } from './compose.js';
import { deriveSystemToolId } from './derived-id.js';
import { keepExtras } from './keep-extras.js';
import {
  readCleanText,
  readFilledRecord,
  readNumber,
  readOwnOr,
  readRecord,
  readStreamText,
} from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { snapshotOf } from './snapshot.js';
import { readToolId } from './tool.js';

/** The fields of a `system_tool_start` event. */
export interface SystemToolStartArguments {
  /** The name of the system tool. */
  toolType: string;
  /** The id of this invocation. */
  toolId: string;
  /** The arguments of the call. @default {} */
  params?: object | null | undefined;
  /** The agent the tool runs for. */
  agentName?: string | null | undefined;
  /** The swarm the tool runs in; it takes precedence over the agent as the scope. */
  swarmName?: string | null | undefined;
}

/** The fields of a `system_tool_chunk` event. */
export interface SystemToolChunkArguments {
  /** The id of this invocation. */
  toolId: string;
  /** The progress text. */
  text: string;
  /** The share of the work done, 0 to 1. @default null */
  progress?: number | null | undefined;
}

/** The fields of a `system_tool_complete` event. */
export interface SystemToolCompleteArguments {
  /** The id of this invocation. */
  toolId: string;
  /** What the tool returned; null if nothing. */
  result: unknown;
}

/** Builds the payload of a `system_tool_start`. The flat `tool_type` is the tool's name, `tool.type` is `system`. */
export function buildSystemToolStartPayload(event: SystemToolStartArguments) {
  return composeSystemToolStart({ ...event, params: snapshotOf(event.params) });
}

/** Builds the payload of a `system_tool_chunk`. */
export function buildSystemToolChunkPayload(event: SystemToolChunkArguments) {
  const { toolId, text } = event;
  const progress = event.progress ?? null;
  return {
    tool_id: toolId,
    text,
    progress,
    tool: { id: toolId, tool_id: toolId, type: 'system' },
    chunk: { text, progress },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: SYSTEM_TOOL_CHUNK_EVENT_NAME,
    event_kind: 'tool' as const,
  };
}

/** Builds the payload of a `system_tool_complete`. */
export function buildSystemToolCompletePayload(event: SystemToolCompleteArguments) {
  return composeSystemToolComplete({ toolId: event.toolId, result: snapshotOf(event.result) });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeSystemToolStart(event: SystemToolStartArguments) {
  const { toolType, toolId } = event;
  const params: JsonRecord = { ...readRecord(event.params) };
  const agentName = readCleanText(event.agentName) ?? null;
  const swarmName = readCleanText(event.swarmName) ?? null;
  return withContext(
    {
      tool_type: toolType,
      tool_id: toolId,
      params,
      agent_name: agentName,
      swarm_name: swarmName,
      tool: {
        id: toolId,
        tool_id: toolId,
        name: toolType,
        type: 'system',
        status: 'executing',
        args: params,
      },
      lifecycle: { phase: 'executing' },
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: SYSTEM_TOOL_START_EVENT_NAME,
      event_kind: 'tool' as const,
    },
    { scope: composeToolScope({ agentName, swarmName }) },
  );
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeSystemToolComplete(event: SystemToolCompleteArguments) {
  const { toolId } = event;
  const result = event.result ?? null;
  return {
    tool_id: toolId,
    result,
    tool: { id: toolId, tool_id: toolId, type: 'system', status: 'completed', result },
    lifecycle: { phase: 'completed' },
    contract_version: APP_EVENT_CONTRACT_VERSION,
    event_name: SYSTEM_TOOL_COMPLETE_EVENT_NAME,
    event_kind: 'tool' as const,
  };
}

/** Rebuilds an external `system_tool_start`. */
export function rebuildSystemToolStart(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.tool);
  const name = readCleanText(input.tool_type) ?? readCleanText(nested?.name);
  const built = composeSystemToolStart({
    toolType: name ?? 'system_tool',
    toolId: readToolId(input, nested) ?? deriveSystemToolId(name),
    params: readFilledRecord(input.params) ?? readRecord(nested?.args),
    agentName: readCleanText(input.agent_name),
    swarmName: readCleanText(input.swarm_name),
  });
  return keepExtras(built, input);
}

/** Rebuilds an external `system_tool_chunk`. */
export function rebuildSystemToolChunk(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.chunk);
  const built = buildSystemToolChunkPayload({
    toolId: readToolId(input, readRecord(input.tool)) ?? 'system_tool',
    text: readStreamText(input.text) ?? readStreamText(nested?.text) ?? '',
    progress: readNumber(input.progress) ?? readNumber(nested?.progress),
  });
  return keepExtras(built, input);
}

/** Rebuilds an external `system_tool_complete`. */
export function rebuildSystemToolComplete(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.tool);
  const built = composeSystemToolComplete({
    toolId: readToolId(input, nested) ?? 'system_tool',
    result: readOwnOr(input, 'result', nested),
  });
  return keepExtras(built, input);
}
