export {
  EventLogUnavailableError,
  EventSchemaError,
  LogClosedError,
  LogGapError,
  SessionLimitError,
  StaleEpochError,
} from './errors.js';
export type { Audience } from './audience/audience.js';
export { EventBridge } from './bridge/event-bridge.js';
export type { CloseOptions } from './bridge/event-bridge.js';
export type { Backpressure, EventBridgeOptions } from './bridge/options.js';
export type { ReaderOptions, StreamOptions, WaitForReader } from './bridge/bridge-readers.js';
export { BridgeRegistry } from './bridge/registry.js';
export type { BridgeRegistryOptions } from './bridge/registry.js';
export type { EventReader } from './delivery/event-reader.js';
export type { Logger } from './logger.js';
export { validateEvent } from './pipeline/validate.js';
export type { SchemaValidation } from './pipeline/validate.js';
export { createEpoch } from './log/epoch.js';
export { formatEventId, parseEventId } from './log/event-id.js';
export type { EventPosition } from './log/event-id.js';
export type { EntryKind } from './log/entry-kind.js';
export type {
  EntryNote,
  EpochStart,
  EventLog,
  LogEvent,
  OpenedSession,
  ReadFrom,
  SessionStatus,
  TrimTo,
  WriterToken,
} from './log/event-log.js';
export { createLogPage } from './log/log-page.js';
export type { LogPage, PageEntry, PageMark } from './log/log-page.js';
export { MemoryEventLog } from './log/memory-log.js';
export type { MemoryEventLogOptions } from './log/memory-log.js';

export {
  AGENT_ASSIGNMENT_EVENT_NAME,
  APP_EVENT_CONTRACT_VERSION,
  ASSISTANT_CHUNK_EVENT_NAME,
  ENRICHMENT_EVENT_NAME,
  ERROR_EVENT_NAME,
  FINAL_EVENT_NAME,
  HOOK_FIRED_EVENT_NAME,
  INTERRUPT_REQUIRED_EVENT_NAME,
  MODEL_TOOL_COMPLETE_EVENT_NAME,
  PROGRESS_UPDATE_EVENT_NAME,
  SESSION_END_EVENT_NAME,
  SESSION_START_EVENT_NAME,
  STATUS_MESSAGE_EVENT_NAME,
  STREAM_GAP_EVENT_NAME,
  SYSTEM_TOOL_CHUNK_EVENT_NAME,
  SYSTEM_TOOL_COMPLETE_EVENT_NAME,
  SYSTEM_TOOL_ERROR_EVENT_NAME,
  SYSTEM_TOOL_START_EVENT_NAME,
  TOOL_EVENT_NAME,
  UPDATE_EVENT_NAME,
} from '@svc/contracts';
export type { AppEvent, EventEnvelope, RawSSEEvent } from '@svc/contracts';

export { buildAgentAssignmentPayload } from './payloads/assignment.js';
export type { AgentAssignmentArguments } from './payloads/assignment.js';
export { buildAssistantChunkPayload } from './payloads/assistant.js';
export type { AssistantChunkArguments } from './payloads/assistant.js';
export type { BuiltContext } from './payloads/compose.js';
export { buildEnrichmentPayload } from './payloads/enrichment.js';
export type { EnrichmentArguments } from './payloads/enrichment.js';
export { buildHookFiredPayload } from './payloads/hook.js';
export type { HookFiredArguments } from './payloads/hook.js';
export { buildInterruptRequiredPayload } from './payloads/interrupt.js';
export type { InterruptRequiredArguments } from './payloads/interrupt.js';
export type { JsonRecord } from './payloads/read-field.js';
export { buildStatusMessagePayload } from './payloads/status.js';
export type { StatusMessageArguments } from './payloads/status.js';
export {
  buildSystemToolChunkPayload,
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
} from './payloads/system-tool.js';
export type {
  SystemToolChunkArguments,
  SystemToolCompleteArguments,
  SystemToolStartArguments,
} from './payloads/system-tool.js';
export { buildToolEventPayload } from './payloads/tool.js';
export type { ToolEventArguments } from './payloads/tool.js';
export { buildErrorPayload, buildFinalPayload, buildSessionStartPayload } from './payloads/turn.js';
export type {
  ErrorArguments,
  ErrorEmission,
  FinalArguments,
  FinalEmission,
  SessionStartArguments,
} from './payloads/turn.js';

export type { NormalizeOptions, ToolMetadata } from './normalize/context.js';
export { normalizeStreamEvent } from './normalize/normalize-event.js';
export type { NormalizeStreamEventOptions } from './normalize/normalize-event.js';
export { normalizeStream } from './normalize/normalize-stream.js';
export { toRawSseEvent } from './normalize/raw-sse-event.js';
export type { RawEventInput } from './normalize/raw-sse-event.js';
export { NormalizedStreamState } from './normalize/state.js';
export type { PendingModelTool } from './normalize/state.js';

export { forwardNormalizedEvent, forwardNormalizedStream } from './forward/forward.js';
export type { ForwardingBridge, ForwardOptions } from './forward/forward.js';
export type { Reporter } from './forward/reporter.js';
export { NormalizedEventForwardingState } from './forward/state.js';
export type { ToolContext } from './forward/state.js';
