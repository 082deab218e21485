import type { JsonObject } from '@svc/contracts';
import type { JournalEntry } from '@svc/contracts/orchestrator';
import type { PlanTool } from '../../planning/plan-context.js';
import { eventEntry } from '../record/session-record.js';
import type { CheckpointData } from '../record/session-record.js';
import type { SessionFacts } from '../record/session-facts.js';
import type { CallState } from '../record/session-state.js';

/** The id under which all text of a session is streamed. */
export const ASSISTANT_ID = 'assistant';

export function sessionStartEntry(facts: SessionFacts): JournalEntry {
  const payload = { session_id: facts.sessionId, assistant_id: ASSISTANT_ID };
  return eventEntry('session_start', payload, { key: 'session_start' });
}

/** Announces a phase; with a key, at most once. */
export function phaseEntry(
  facts: SessionFacts,
  { phase, message, key, extra }: { phase: string; message: string; key?: string; extra?: JsonObject },
): JournalEntry {
  const { type, id, name } = facts.scope;
  const payload: JsonObject = {
    phase,
    message,
    scope_type: type,
    ...(id === undefined ? {} : { scope_id: id }),
    ...(name === undefined ? {} : { scope_name: name }),
    ...extra,
  };
  return eventEntry('enrichment', payload, key === undefined ? {} : { key });
}

export function statusEntry(message: string, key: string): JournalEntry {
  return eventEntry('status_message', { message, assistant_id: ASSISTANT_ID }, { key });
}

/** The text so far. Each snapshot replaces the previous one in the history. */
export function textEntry(text: string): JournalEntry {
  return eventEntry('update', { streaming_content: text, assistant_id: ASSISTANT_ID }, { slot: 'text' });
}

/** Asks the client to run a tool. */
export function toolEventEntry({
  call,
  tool,
  args,
  answered,
}: {
  call: CallState;
  tool: PlanTool | undefined;
  args: JsonObject;
  answered: readonly string[];
}): JournalEntry {
  const privateArgs = (tool?.dependencies ?? []).flatMap((edge) =>
    edge.type === 'private_data' ? [edge.arg_name] : [],
  );
  const toolCall: JsonObject = { tool_id: call.tool_id, args, ...(tool ? { tool_name: tool.name } : {}) };
  const value: JsonObject = {
    tool_call: toolCall,
    ...(privateArgs.length > 0 ? { private_data_injected: privateArgs } : {}),
    ...(answered.length > 0 ? { interrupt_data_injected: [...answered] } : {}),
  };
  return eventEntry('tool_event', { id: call.call_id, value });
}

/** Reports the state of a swarm member's call. */
export function swarmActionEntry(
  { scope }: SessionFacts,
  { call, tool, status }: { call: CallState; tool: PlanTool; status: 'started' | 'completed' | 'failed' },
): JournalEntry {
  const { outcome } = call;
  const task = call.args['prompt'];
  const payload: JsonObject = {
    action_type: 'swarm_agent',
    action_id: call.call_id,
    action_name: tool.name,
    status,
    ...(typeof task === 'string' ? { task } : {}),
    ...(scope.type === 'swarm' && scope.name !== undefined ? { swarm_name: scope.name } : {}),
    ...(outcome?.status === 'ok' ? { result: outcome.result } : {}),
    ...(outcome?.status === 'error' ? { error: outcome.error.message } : {}),
  };
  return eventEntry('update', payload, { key: swarmActionKey(call, status) });
}

export function swarmActionKey(call: CallState, status: string): string {
  return `swarm:${call.call_id}:${status}`;
}

/** Asks a person. */
export function interruptEntry(checkpoint: CheckpointData, nowMs: number): JournalEntry {
  return eventEntry('interrupt_required', interruptPayload(checkpoint, nowMs));
}

/** A checkpoint as clients and displays see it. */
export function interruptPayload(checkpoint: CheckpointData, openedAtMs: number) {
  const { checkpoint_id, data_key, prompt, arg_name, input_type, choices, args_digest, expires_at_ms } =
    checkpoint;
  return {
    checkpoint_id,
    interrupt_id: checkpoint_id,
    data_key,
    prompt,
    arg_name: arg_name ?? data_key,
    input_type: input_type ?? 'text',
    args_digest,
    expires_at: new Date(expires_at_ms).toISOString(),
    timestamp: new Date(openedAtMs).toISOString(),
    ...(choices ? { choices: [...choices] } : {}),
    ...(checkpoint.tool_name === undefined ? {} : { tool_name: checkpoint.tool_name }),
    ...(checkpoint.call_id === undefined ? {} : { assignment_id: checkpoint.call_id }),
  };
}
