import type * as z from 'zod';
import type { ContractEventName } from './event-names/groups.js';
import { AgentAssignmentPayloadSchema } from './families/agent-assignment.js';
import { AssistantChunkPayloadSchema } from './families/assistant-chunk.js';
import { EnrichmentPayloadSchema } from './families/enrichment.js';
import { ErrorPayloadSchema } from './families/error.js';
import { FinalPayloadSchema } from './families/final.js';
import { HookFiredPayloadSchema } from './families/hook-fired.js';
import { InterruptRequiredPayloadSchema } from './families/interrupt-required.js';
import { SessionEndPayloadSchema, SessionStartPayloadSchema } from './families/session.js';
import { StatusMessagePayloadSchema } from './families/status-message.js';
import { StreamGapPayloadSchema } from './families/stream-gap.js';
import {
  SystemToolChunkPayloadSchema,
  SystemToolCompletePayloadSchema,
  SystemToolErrorPayloadSchema,
  SystemToolStartPayloadSchema,
} from './families/system-tool.js';
import { ToolEventPayloadSchema } from './families/tool-event.js';

/** The payload schema of every event of the contract, by event name. */
export const FAMILY_PAYLOAD_SCHEMAS = {
  tool_event: ToolEventPayloadSchema,
  system_tool_start: SystemToolStartPayloadSchema,
  system_tool_chunk: SystemToolChunkPayloadSchema,
  system_tool_complete: SystemToolCompletePayloadSchema,
  assistant_chunk: AssistantChunkPayloadSchema,
  status_message: StatusMessagePayloadSchema,
  interrupt_required: InterruptRequiredPayloadSchema,
  agent_assignment: AgentAssignmentPayloadSchema,
  enrichment: EnrichmentPayloadSchema,
  final: FinalPayloadSchema,
  error: ErrorPayloadSchema,
  system_tool_error: SystemToolErrorPayloadSchema,
  session_start: SessionStartPayloadSchema,
  session_end: SessionEndPayloadSchema,
  hook_fired: HookFiredPayloadSchema,
  stream_gap: StreamGapPayloadSchema,
} satisfies Record<ContractEventName, z.ZodType>;

/** The payload of the event with this name. */
export type FamilyPayload<Name extends ContractEventName> = z.infer<(typeof FAMILY_PAYLOAD_SCHEMAS)[Name]>;
