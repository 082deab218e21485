import type { AppEvent } from '@svc/contracts';
import { isRecord, readCleanText, readList, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { composeToolEvent } from '../payloads/tool.js';
import { toolMetadataOf, toolNameOf } from './context.js';
import type { NormalizeContext } from './context.js';
import type { NormalizedStreamState } from './state.js';

/** One call of a raw `tool_event`. */
interface RawCall {
  readonly call: JsonRecord;
  readonly eventId: string | undefined;
  readonly position: number;
  readonly isBatch: boolean;
}

/** Normalizes each call of a raw `tool_event` to an executing `tool_event`. Whoever runs the call reports its completion. */
export function normalizeToolEvent(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  return readCalls(payload).flatMap((raw) => {
    const staticId = readCallId(raw);
    if (staticId === undefined) return [];
    const toolId = claimInvocation(context.state, raw, staticId);
    return toolId === undefined ? [] : [composeCall(raw.call, { staticId, toolId }, context)];
  });
}

function readCalls(payload: JsonRecord): RawCall[] {
  const value = readRecord(payload.value);
  if (value === undefined) return [];
  const eventId = readCleanText(payload.id);
  const batch = (readList(value.tool_calls) ?? []).filter(isRecord);
  if (batch.length > 0) return batch.map((call, position) => ({ call, eventId, position, isBatch: true }));
  const call = readRecord(value.tool_call);
  return call === undefined ? [] : [{ call, eventId, position: 0, isBatch: false }];
}

const readCallName = (call: JsonRecord) => readCleanText(call.name) ?? readCleanText(call.tool_name);

function readCallId({ call, eventId, position }: RawCall): string | undefined {
  const id = readCleanText(call.tool_id) ?? readCleanText(call.id);
  if (id !== undefined) return id;
  const name = readCallName(call);
  return eventId === undefined ? name : `${eventId}:${position}:${name ?? 'tool'}`;
}

/**
 * Returns the id under which to report a call; undefined if it was reported before. A call's id may be that of the tool:
 * then the first call takes it, and a call from another event or another position in a batch is a new invocation with
 * the id of its tool event.
 */
function claimInvocation(state: NormalizedStreamState, raw: RawCall, staticId: string): string | undefined {
  const { eventId, position, isBatch } = raw;
  const source = eventId === undefined ? undefined : `${eventId}:${position}`;
  if (!state.reportedToolIds.has(staticId)) {
    state.keepCall(staticId, source);
    return staticId;
  }
  if (eventId === undefined || state.reportedToolIds.get(staticId) === source) return undefined;
  const invocationId = isBatch ? `${eventId}:${position}` : eventId;
  if (state.reportedToolIds.has(invocationId)) return undefined;
  state.keepCall(invocationId, source);
  return invocationId;
}

function composeCall(
  call: JsonRecord,
  { staticId, toolId }: { staticId: string; toolId: string },
  context: NormalizeContext,
): AppEvent {
  const metadata = toolMetadataOf(context, staticId);
  const toolName =
    readCleanText(metadata?.tool_name) ??
    readCleanText(metadata?.name) ??
    toolNameOf(context, staticId) ??
    readCallName(call) ??
    staticId.slice(staticId.lastIndexOf(':') + 1);
  const toolType = (
    readCleanText(metadata?.tool_type) ??
    readCleanText(call.tool_type) ??
    readCleanText(call.type) ??
    'func'
  ).toLowerCase();
  const agentName =
    readCleanText(metadata?.agent_name) ?? (toolType === 'agent' ? toolName : context.agentName);
  return composeToolEvent({
    toolName,
    toolId,
    toolType,
    status: 'executing',
    args: argumentsOf(call, toolType, metadata),
    agentName,
    swarmName: readCleanText(metadata?.swarm_name) ?? context.swarmName,
    ...context.participant,
  });
}

function argumentsOf(call: JsonRecord, toolType: string, metadata: JsonRecord | undefined): JsonRecord {
  const args = readRecord(call.args) ?? {};
  const agentId = toolType === 'agent' ? readCleanText(metadata?.target_agent_id) : undefined;
  return agentId === undefined || Object.hasOwn(args, 'agent_id') ? args : { ...args, agent_id: agentId };
}
