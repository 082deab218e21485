import {
  readCleanText,
  readFilledRecord,
  readKey,
  readNumber,
  readOwnOr,
  readRecord,
} from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizedEventForwardingState, ToolContext } from './state.js';

/** The fields of a tool event, taken from its flat fields, else its descriptor, else the running tool. */
export interface ReadTool extends ToolContext {
  readonly id: string;
  /** `executing`, `completed`, `failed`, `cancelled`, or any other string in lower case; empty if the event has no status. */
  readonly status: string;
  readonly args: JsonRecord | null;
  readonly result: unknown;
  readonly error: string | null;
  readonly elapsedMs: number | null;
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['started', 'executing'],
  ['running', 'executing'],
  ['in_progress', 'executing'],
  ['pending', 'executing'],
  ['success', 'completed'],
  ['error', 'failed'],
]);

/** Reads a tool event; undefined without an id. */
export function readTool(event: JsonRecord, state: NormalizedEventForwardingState): ReadTool | undefined {
  const nested = readRecord(event.tool);
  const id =
    readCleanText(event.tool_id) ??
    readCleanText(event.event_id) ??
    readCleanText(nested?.id) ??
    readCleanText(nested?.tool_id);
  if (id === undefined) return undefined;
  const known = state.toolContextById.get(id);
  const status = readKey(event.status) ?? readKey(nested?.status) ?? '';
  const toolType = readCleanText(event.tool_type) ?? readCleanText(nested?.type);
  return {
    id,
    name: readCleanText(event.tool_name) ?? readCleanText(nested?.name) ?? known?.name ?? toolType ?? 'tool',
    toolType: toolType?.toLowerCase() ?? known?.toolType ?? 'func',
    status: statuses.get(status) ?? status,
    args: readFilledRecord(event.args) ?? readFilledRecord(event.params) ?? readRecord(nested?.args) ?? null,
    result: readOwnOr(event, 'result', nested) ?? null,
    error: readCleanText(event.error) ?? readCleanText(nested?.error) ?? null,
    elapsedMs: readNumber(event.elapsed_ms) ?? readNumber(nested?.elapsed_ms) ?? null,
    agentName: readCleanText(event.agent_name) ?? readScopeName(event, 'agent') ?? known?.agentName ?? null,
    swarmName: readCleanText(event.swarm_name) ?? readScopeName(event, 'swarm') ?? known?.swarmName ?? null,
  };
}

function readScopeName(event: JsonRecord, type: string): string | undefined {
  const scope = readRecord(event.scope);
  return readKey(scope?.type) === type ? readCleanText(scope?.name) : undefined;
}
