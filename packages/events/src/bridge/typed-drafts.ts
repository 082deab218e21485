import { composeAgentAssignment } from '../payloads/assignment.js';
import type { AgentAssignmentArguments } from '../payloads/assignment.js';
import { buildAssistantChunkPayload } from '../payloads/assistant.js';
import type { AssistantChunkArguments } from '../payloads/assistant.js';
import { composeEnrichment } from '../payloads/enrichment.js';
import type { EnrichmentArguments } from '../payloads/enrichment.js';
import { buildHookFiredPayload } from '../payloads/hook.js';
import type { HookFiredArguments } from '../payloads/hook.js';
import { buildInterruptRequiredPayload } from '../payloads/interrupt.js';
import type { InterruptRequiredArguments } from '../payloads/interrupt.js';
import { buildStatusMessagePayload } from '../payloads/status.js';
import type { StatusMessageArguments } from '../payloads/status.js';
import {
  buildSystemToolChunkPayload,
  composeSystemToolComplete,
  composeSystemToolStart,
} from '../payloads/system-tool.js';
import type {
  SystemToolChunkArguments,
  SystemToolCompleteArguments,
  SystemToolStartArguments,
} from '../payloads/system-tool.js';
import { composeToolEvent } from '../payloads/tool.js';
import type { ToolEventArguments } from '../payloads/tool.js';
import { buildSessionStartPayload, composeError, composeFinal } from '../payloads/turn.js';
import type { ErrorArguments, FinalArguments, SessionStartArguments } from '../payloads/turn.js';
import type { Draft } from '../pipeline/draft.js';
import { timestampNow } from '../pipeline/timestamp.js';

/** What a `final` says; the answer's text alone is enough. */
export type FinalEmission = string | FinalArguments;

/** What an `error` says; the message alone is enough. */
export type ErrorEmission = string | ErrorArguments;

/** Makes the draft of each family from its arguments. Nothing is copied that the log's text will not hold anyway. */
export const typedDrafts = {
  toolEvent: (from: ToolEventArguments): Draft => ({ type: 'tool_event', payload: composeToolEvent(from) }),
  systemToolStart: (from: SystemToolStartArguments): Draft => ({
    type: 'system_tool_start',
    payload: composeSystemToolStart(from),
  }),
  systemToolChunk: (from: SystemToolChunkArguments): Draft => ({
    type: 'system_tool_chunk',
    payload: buildSystemToolChunkPayload(from),
  }),
  systemToolComplete: (from: SystemToolCompleteArguments): Draft => ({
    type: 'system_tool_complete',
    payload: composeSystemToolComplete(from),
  }),
  assistantChunk: (from: AssistantChunkArguments): Draft => ({
    type: 'assistant_chunk',
    payload: buildAssistantChunkPayload(from),
  }),
  statusMessage: (from: StatusMessageArguments): Draft => ({
    type: 'status_message',
    payload: buildStatusMessagePayload(from),
  }),
  interruptRequired: (from: InterruptRequiredArguments): Draft => ({
    type: 'interrupt_required',
    payload: buildInterruptRequiredPayload({ ...from, timestamp: from.timestamp ?? timestampNow() }),
  }),
  agentAssignment: (from: AgentAssignmentArguments): Draft => ({
    type: 'agent_assignment',
    payload: composeAgentAssignment(from),
  }),
  enrichment: (from: EnrichmentArguments): Draft => ({
    type: 'enrichment',
    payload: composeEnrichment(from),
    scope: { id: from.scopeId, name: from.scopeName, type: from.scopeType },
  }),
  final: (from: FinalEmission): Draft => ({
    type: 'final',
    payload: composeFinal(typeof from === 'string' ? { response: from } : from),
  }),
  error: (from: ErrorEmission): Draft => ({
    type: 'error',
    payload: composeError(typeof from === 'string' ? { error: from } : from),
  }),
  sessionStart: (from: SessionStartArguments): Draft => ({
    type: 'session_start',
    payload: buildSessionStartPayload(from),
  }),
  hookFired: (from: HookFiredArguments): Draft => ({
    type: 'hook_fired',
    payload: buildHookFiredPayload(from),
  }),
};
