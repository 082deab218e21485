import { APP_EVENT_CONTRACT_VERSION, TOOL_EVENT_NAME } from '@svc/contracts';
import { composeParticipant, composeToolScope, withContext } from './compose.js';
import type { ParticipantArguments } from './compose.js';
import { deriveToolId } from './derived-id.js';
import { keepExtras } from './keep-extras.js';
import { readCleanText, readFilledRecord, readOwnOr, readRecord } from './read-field.js';
import type { JsonRecord } from './read-field.js';
import { snapshotOf } from './snapshot.js';

/** The fields of a `tool_event` event. */
export interface ToolEventArguments extends ParticipantArguments {
  /** The name of the tool, as shown. */
  toolName: string;
  /** The id of this invocation, the same from start to end. */
  toolId: string;
  /** `executing`, `completed` or `failed`; other strings are kept. */
  status: string;
  /** The arguments of the call. @default {} */
  args?: object | null | undefined;
  /** What the tool returned. @default null */
  result?: unknown;
  /** Why the tool failed. @default null */
  error?: string | null | undefined;
  /** The agent the tool runs for. */
  agentName?: string | null | undefined;
  /** The swarm the tool runs in; it takes precedence over the agent as the scope. */
  swarmName?: string | null | undefined;
  /** `func`, `agent`, `mcp`, `model` or `system`. @default 'func' */
  toolType?: string | null | undefined;
}

/**
 * Builds the payload of a `tool_event`: flat fields and the `tool` descriptor, which carries the id as `id` and
 * `tool_id`.
 */
export function buildToolEventPayload(event: ToolEventArguments) {
  return composeToolEvent({ ...event, args: snapshotOf(event.args), result: snapshotOf(event.result) });
}

/** Builds the same payload without copying, for values that nobody else changes. */
export function composeToolEvent(event: ToolEventArguments) {
  const { toolName, toolId, status } = event;
  const type = readCleanText(event.toolType) ?? 'func';
  const args: JsonRecord = { ...readRecord(event.args) };
  const result = event.result ?? null;
  const error = event.error ?? null;
  const agentName = readCleanText(event.agentName) ?? null;
  const swarmName = readCleanText(event.swarmName) ?? null;
  const participant = composeParticipant(event);
  return withContext(
    {
      tool_name: toolName,
      tool_id: toolId,
      tool_type: type,
      status,
      args,
      result,
      error,
      agent_name: agentName,
      swarm_name: swarmName,
      participant_key: participant?.key ?? null,
      participant_name: participant?.name ?? null,
      participant_role: participant?.role ?? null,
      tool: { id: toolId, tool_id: toolId, name: toolName, type, status, args, result, error },
      lifecycle: { phase: status },
      contract_version: APP_EVENT_CONTRACT_VERSION,
      event_name: TOOL_EVENT_NAME,
      event_kind: 'tool' as const,
    },
    {
      scope: composeToolScope({ agentName, swarmName }),
      participant,
    },
  );
}

/** Rebuilds an external `tool_event`: flat fields first, then the descriptor, then defaults. */
export function rebuildToolEvent(input: JsonRecord): JsonRecord {
  const nested = readRecord(input.tool);
  const name = readCleanText(input.tool_name) ?? readCleanText(nested?.name);
  const built = composeToolEvent({
    toolName: name ?? 'tool',
    toolId: readToolId(input, nested) ?? deriveToolId(name),
    status: readCleanText(input.status) ?? readCleanText(nested?.status) ?? 'executing',
    toolType: readCleanText(input.tool_type) ?? readCleanText(nested?.type),
    args: readFilledRecord(input.args) ?? readRecord(nested?.args),
    result: readOwnOr(input, 'result', nested),
    error: readCleanText(input.error) ?? readCleanText(nested?.error),
    agentName: readCleanText(input.agent_name),
    swarmName: readCleanText(input.swarm_name),
    participantKey: readCleanText(input.participant_key),
    participantName: readCleanText(input.participant_name),
    participantRole: readCleanText(input.participant_role),
  });
  return keepExtras(built, input);
}

/** The id of a tool event: flat `tool_id`, then `tool.id`, then `tool.tool_id`. */
export function readToolId(input: JsonRecord, nested: JsonRecord | undefined): string | undefined {
  return readCleanText(input.tool_id) ?? readCleanText(nested?.id) ?? readCleanText(nested?.tool_id);
}
