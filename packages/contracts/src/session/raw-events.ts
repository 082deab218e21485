import * as z from 'zod';
import { FinalPayloadSchema } from './final-payload.js';
import { InterruptRequestPayloadSchema, InterruptRequiredPayloadSchema } from './interrupt.js';
import { ToolEventPayloadSchema } from './tool-call.js';

const text = z.string().nullish();

/** `session_start`: the first event of a session. */
export const SessionStartPayloadSchema = z.looseObject({ session_id: z.string(), assistant_id: text });

/** `update`: the text so far (`streaming_content` is cumulative) or the lifecycle of an action (`action_type`). */
export const UpdatePayloadSchema = z.looseObject({
  streaming_content: text,
  assistant_id: text,
  action_type: text,
  action_id: text,
  action_name: text,
  status: text,
  task: text,
  swarm_name: text,
  result: z.unknown().optional(),
  error: text,
});

/** `progress_update`: text to append (`text` is a delta). */
export const ProgressUpdatePayloadSchema = z.looseObject({ text, assistant_id: text });

/** `status_message`: a single status line. */
export const StatusMessagePayloadSchema = z.looseObject({ message: z.string(), assistant_id: text });

/** `enrichment`: the current phase of the run. */
export const EnrichmentPayloadSchema = z.looseObject({
  phase: z.string(),
  message: text,
  scope_type: text,
  scope_id: text,
  scope_name: text,
  memory: z.record(z.string(), z.unknown()).nullish(),
  redaction: z.record(z.string(), z.unknown()).nullish(),
  reevaluate: z.record(z.string(), z.unknown()).nullish(),
});

const systemTool = {
  tool_name: z.string(),
  assignment_id: text,
  tool_id: text,
  agent_name: text,
  swarm_name: text,
};

/** `system_tool_start`. */
export const SystemToolStartPayloadSchema = z.looseObject({
  ...systemTool,
  args: z.unknown().optional(),
  params: z.unknown().optional(),
});

/** `system_tool_chunk`. */
export const SystemToolChunkPayloadSchema = z.looseObject({
  ...systemTool,
  text,
  chunk_count: z.number().nullish(),
  elapsed_seconds: z.number().nullish(),
  progress: z.number().nullish(),
});

/** `system_tool_complete`. */
export const SystemToolCompletePayloadSchema = z.looseObject({
  ...systemTool,
  result: z.unknown().optional(),
  elapsed_ms: z.number().nullish(),
});

/** `system_tool_error`. */
export const SystemToolErrorPayloadSchema = z.looseObject({
  ...systemTool,
  error: text,
  elapsed_ms: z.number().nullish(),
});

/** `model_tool_complete`: a model tool completed by the orchestrator itself. */
export const ModelToolCompletePayloadSchema = z.looseObject({
  tool_name: z.string(),
  result: z.unknown().optional(),
});

/** `error`: the stream cannot continue. A failed run ends with `final` instead. */
export const StreamErrorPayloadSchema = z.looseObject({
  error: z.string(),
  details: z.record(z.string(), z.unknown()).nullish(),
});

/** `heartbeat`, `assignment_received`, `assignment_completed`, `hook_fired`: the protocol does not define their payload. */
export const PlainPayloadSchema = z.looseObject({});

/** The payload schema of every event of an orchestrator's stream. Events with other names pass through unread. */
export const RAW_EVENT_PAYLOADS = {
  session_start: SessionStartPayloadSchema,
  heartbeat: PlainPayloadSchema,
  tool_event: ToolEventPayloadSchema,
  interrupt_request: InterruptRequestPayloadSchema,
  interrupt_required: InterruptRequiredPayloadSchema,
  assignment_received: PlainPayloadSchema,
  assignment_completed: PlainPayloadSchema,
  model_tool_complete: ModelToolCompletePayloadSchema,
  update: UpdatePayloadSchema,
  progress_update: ProgressUpdatePayloadSchema,
  status_message: StatusMessagePayloadSchema,
  enrichment: EnrichmentPayloadSchema,
  system_tool_start: SystemToolStartPayloadSchema,
  system_tool_chunk: SystemToolChunkPayloadSchema,
  system_tool_complete: SystemToolCompletePayloadSchema,
  system_tool_error: SystemToolErrorPayloadSchema,
  hook_fired: PlainPayloadSchema,
  error: StreamErrorPayloadSchema,
  final: FinalPayloadSchema,
} as const;

/** The event names of an orchestrator's stream. */
export type RawEventName = keyof typeof RAW_EVENT_PAYLOADS;
/** The payload of the named event. */
export type RawEventPayload<Name extends RawEventName> = z.infer<(typeof RAW_EVENT_PAYLOADS)[Name]>;
