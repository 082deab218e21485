import type { ContractEventName } from '@svc/contracts';
import { readCleanText, readKey, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { readToolId } from '../payloads/tool.js';
import type { Draft } from './draft.js';
import type { Effect } from './effect.js';
import { finalStatuses } from './tool-table.js';
import type { ToolCall } from './tool-table.js';
import type { TurnState } from './turn-state.js';

type Identify = (draft: Draft, state: TurnState) => readonly Effect[];

const nothing: readonly Effect[] = [];

const identifiers = {
  tool_event: identifyToolEvent,
  system_tool_start: identifySystemToolStart,
  system_tool_chunk: (draft, state) => {
    lookUpTool(draft.payload, state);
    return nothing;
  },
  system_tool_complete: (draft, state) => {
    const id = lookUpTool(draft.payload, state);
    return id === undefined ? nothing : [['tool_end', id]];
  },
  system_tool_error: identifySystemToolError,
  agent_assignment: identifyAssignment,
  enrichment: identifyEnrichment,
  interrupt_required: identifyInterrupt,
  hook_fired: identifyHook,
} satisfies Partial<Record<ContractEventName, Identify>>;

const identifyByType: ReadonlyMap<string, Identify> = new Map(Object.entries(identifiers));

/** Whether events of this type get ids written into them, so that the draft needs its own copies of those fields. */
export function isIdentified(type: string): boolean {
  return identifyByType.has(type);
}

/**
 * Gives all events about the same thing the same id: writes it into the payload and returns what the turn must remember
 * once the event is accepted. Does not change the state.
 */
export function identify(draft: Draft, state: TurnState): readonly Effect[] {
  return identifyByType.get(draft.type)?.(draft, state) ?? nothing;
}

function identifyToolEvent(draft: Draft, state: TurnState): readonly Effect[] {
  const { payload, isComplete = false, hasDerivedId = false } = draft;
  const rawId = readCleanText(payload.tool_id);
  if (rawId === undefined) return nothing;
  const call: ToolCall = {
    name: payload.tool_name,
    rawId,
    status: readKey(payload.status) ?? 'executing',
    args: payload.args,
    agentName: payload.agent_name,
    swarmName: payload.swarm_name,
    type: payload.tool_type,
    hasOwnId: isComplete,
  };
  const found = state.tools.find(call);
  const agent = readKey(call.type) === 'agent' ? readKey(call.agentName) : undefined;
  if (agent === undefined) {
    const id = found.knownId ?? rawId;
    setToolId(payload, id);
    return state.tools.effectsOf(found, id);
  }
  const event = {
    agent,
    swarm: readKey(call.swarmName) ?? null,
    rawId: hasDerivedId ? null : rawId,
    derivedId: rawId,
    isFinal: finalStatuses.has(call.status),
  };
  const { knownId } = found;
  const isSurelyKnown = found.isAlias && !hasDerivedId;
  const isNewDeployment = !event.isFinal && !isSurelyKnown && state.members.isFinished(knownId);
  const member = state.members.resolveTool(event, isNewDeployment ? undefined : knownId);
  setToolId(payload, member.id);
  const ended: Effect[] = isNewDeployment && knownId !== undefined ? [['tool_end', knownId]] : [];
  return [...ended, ...state.tools.effectsOf(found, member.id), ...member.effects];
}

function identifySystemToolStart(
  { payload, isComplete = false }: Draft,
  state: TurnState,
): readonly Effect[] {
  const rawId = readCleanText(payload.tool_id);
  if (rawId === undefined) return nothing;
  const found = state.tools.find({
    name: payload.tool_type,
    rawId,
    status: 'executing',
    args: payload.params,
    agentName: payload.agent_name,
    swarmName: payload.swarm_name,
    type: 'system',
    hasOwnId: isComplete,
  });
  const id = found.knownId ?? rawId;
  setToolId(payload, id);
  return state.tools.effectsOf(found, id);
}

function lookUpTool(payload: JsonRecord, state: TurnState): string | undefined {
  const rawId = readCleanText(payload.tool_id);
  if (rawId === undefined) return undefined;
  const id = state.tools.lookUp(rawId);
  setToolId(payload, id);
  return id;
}

/** This event is not rebuilt, so only ids that are present are replaced. */
function identifySystemToolError({ payload }: Draft, state: TurnState): readonly Effect[] {
  const tool = readRecord(payload.tool);
  const rawId = readToolId(payload, tool);
  if (rawId === undefined) return nothing;
  const id = state.tools.lookUp(rawId);
  if ('tool_id' in payload) payload.tool_id = id;
  if (tool !== undefined) {
    payload.tool = { ...tool, ...('id' in tool && { id }), ...('tool_id' in tool && { tool_id: id }) };
  }
  return [['tool_end', id]];
}

function identifyAssignment({ payload }: Draft, state: TurnState): readonly Effect[] {
  const { id, effects } = state.members.resolveAssignment({
    agent: readKey(payload.agent_name) ?? '',
    swarm: readKey(payload.swarm_name) ?? null,
    rawId: readCleanText(payload.assignment_id) ?? null,
    isFinal: finalStatuses.has(readKey(payload.status) ?? ''),
  });
  payload.assignment_id = id;
  const assignment = readRecord(payload.assignment);
  if (assignment !== undefined) assignment.id = assignment.assignment_id = id;
  return effects;
}

function identifyEnrichment({ payload, scope }: Draft, state: TurnState): readonly Effect[] {
  const resolved = scope && state.scopes.resolve(scope);
  if (resolved === undefined) return nothing;
  payload.scope_id = resolved.id;
  payload.scope = { ...readRecord(payload.scope), id: resolved.id };
  return resolved.effects;
}

function identifyInterrupt({ payload }: Draft, state: TurnState): readonly Effect[] {
  const rawId = readCleanText(payload.assignment_id);
  if (rawId === undefined) return nothing;
  const id = state.members.lookUp(rawId) ?? state.tools.lookUp(rawId);
  payload.assignment_id = id;
  const interrupt = readRecord(payload.interrupt);
  if (interrupt !== undefined) interrupt.assignment_id = id;
  return nothing;
}

/** A hook's descriptor may be the caller's object, so it is copied. */
function identifyHook({ payload }: Draft, state: TurnState): readonly Effect[] {
  const hook = readRecord(payload.hook);
  const type = readKey(payload.target_type) ?? readKey(hook?.target_type);
  const rawId = readCleanText(payload.target_id) ?? readCleanText(hook?.target_id);
  if (type !== 'tool' || rawId === undefined) return nothing;
  const id = state.tools.lookUp(rawId);
  if ('target_id' in payload) payload.target_id = id;
  if (hook !== undefined) payload.hook = { ...hook, target_id: id };
  return nothing;
}

function setToolId(payload: JsonRecord, id: string): void {
  payload.tool_id = id;
  const tool = readRecord(payload.tool);
  if (tool !== undefined) tool.id = tool.tool_id = id;
}
