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
import { draftOf } from '../pipeline/draft.js';
import type { Draft } from '../pipeline/draft.js';
import { timestampNow } from '../pipeline/timestamp.js';

/** What a `final` says; the answer's text alone is enough. */
export type FinalEmission = string | FinalArguments;

/** What an `error` says; the message alone is enough. */
export type ErrorEmission = string | ErrorArguments;

/** Makes the draft of each family from its arguments. Nothing is copied that the log's text will not hold anyway. */
export const typedDrafts = {
  toolEvent: (from: ToolEventArguments) => typed('tool_event', from, composeToolEvent),
  systemToolStart: (from: SystemToolStartArguments) =>
    typed('system_tool_start', from, composeSystemToolStart),
  systemToolChunk: (from: SystemToolChunkArguments) =>
    typed('system_tool_chunk', from, buildSystemToolChunkPayload),
  systemToolComplete: (from: SystemToolCompleteArguments) =>
    typed('system_tool_complete', from, composeSystemToolComplete),
  assistantChunk: (from: AssistantChunkArguments) =>
    typed('assistant_chunk', from, buildAssistantChunkPayload),
  statusMessage: (from: StatusMessageArguments) => typed('status_message', from, buildStatusMessagePayload),
  interruptRequired: (from: InterruptRequiredArguments) =>
    typed('interrupt_required', from, (given) =>
      buildInterruptRequiredPayload({ ...given, timestamp: given.timestamp ?? timestampNow() }),
    ),
  agentAssignment: (from: AgentAssignmentArguments) =>
    typed('agent_assignment', from, composeAgentAssignment),
  enrichment: (from: EnrichmentArguments) =>
    draftOf('enrichment', from, (given) => ({
      type: 'enrichment',
      payload: composeEnrichment(given),
      scope: { id: given.scopeId, name: given.scopeName, type: given.scopeType },
    })),
  final: (from: FinalEmission) =>
    typed('final', typeof from === 'string' ? { response: from } : from, composeFinal),
  error: (from: ErrorEmission) =>
    typed('error', typeof from === 'string' ? { error: from } : from, composeError),
  sessionStart: (from: SessionStartArguments) => typed('session_start', from, buildSessionStartPayload),
  hookFired: (from: HookFiredArguments) => typed('hook_fired', from, buildHookFiredPayload),
};

function typed<From>(type: string, from: From, build: (from: From) => Draft['payload']): Draft {
  return draftOf(type, from, (given) => ({ type, payload: build(given) }));
}
