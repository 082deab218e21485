/**
 * The part of the contract that needs zod. It is built as a separate entry, so that a bundler can drop it where only
 * names are used.
 */
export { AppEventSchema, type AppEvent } from './app-event.js';
export {
  AssignmentDescriptorSchema,
  AssistantDescriptorSchema,
  ChunkDescriptorSchema,
  EnrichmentDescriptorSchema,
  ErrorInfoDescriptorSchema,
  HookDescriptorSchema,
  InterruptDescriptorSchema,
  LifecycleDescriptorSchema,
  OutputDescriptorSchema,
  ParticipantDescriptorSchema,
  ScopeDescriptorSchema,
  SessionDescriptorSchema,
  StatusDescriptorSchema,
  ToolDescriptorSchema,
  type AssignmentDescriptor,
  type AssistantDescriptor,
  type ChunkDescriptor,
  type EnrichmentDescriptor,
  type ErrorInfoDescriptor,
  type HookDescriptor,
  type InterruptDescriptor,
  type LifecycleDescriptor,
  type OutputDescriptor,
  type ParticipantDescriptor,
  type ScopeDescriptor,
  type SessionDescriptor,
  type StatusDescriptor,
  type ToolDescriptor,
} from './descriptors.js';
export { EventEnvelopeSchema, type EventEnvelope } from './envelope.js';
export { FAMILY_PAYLOAD_SCHEMAS, type FamilyPayload } from './families.js';
export { AgentAssignmentPayloadSchema, type AgentAssignmentPayload } from './families/agent-assignment.js';
export { AssistantChunkPayloadSchema, type AssistantChunkPayload } from './families/assistant-chunk.js';
export { EnrichmentPayloadSchema, type EnrichmentPayload } from './families/enrichment.js';
export { ErrorPayloadSchema, type ErrorPayload } from './families/error.js';
export { FinalPayloadSchema, type FinalPayload } from './families/final.js';
export { HookFiredPayloadSchema, type HookFiredPayload } from './families/hook-fired.js';
export {
  InterruptRequiredPayloadSchema,
  type InterruptRequiredPayload,
} from './families/interrupt-required.js';
export {
  SessionEndPayloadSchema,
  SessionStartPayloadSchema,
  type SessionEndPayload,
  type SessionStartPayload,
} from './families/session.js';
export { StatusMessagePayloadSchema, type StatusMessagePayload } from './families/status-message.js';
export {
  StreamGapPayloadSchema,
  type StreamGapPayload,
  type StreamGapReason,
} from './families/stream-gap.js';
export {
  SystemToolChunkPayloadSchema,
  SystemToolCompletePayloadSchema,
  SystemToolErrorPayloadSchema,
  SystemToolStartPayloadSchema,
  type SystemToolChunkPayload,
  type SystemToolCompletePayload,
  type SystemToolErrorPayload,
  type SystemToolStartPayload,
} from './families/system-tool.js';
export { ToolEventPayloadSchema, type ToolEventPayload } from './families/tool-event.js';
export { modelDump, type AppEventDump } from './model-dump.js';
export { parseAppEvent, type ParsedAppEvent } from './parse-app-event.js';
export { RawSSEEventSchema, type RawSSEEvent } from './raw-event.js';
