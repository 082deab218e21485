import type { AppEvent, FamilyPayload } from '@svc/contracts';
import { expectTypeOf } from 'vitest';
import { buildAgentAssignmentPayload } from '../../src/payloads/assignment.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { buildEnrichmentPayload } from '../../src/payloads/enrichment.js';
import { buildHookFiredPayload } from '../../src/payloads/hook.js';
import { buildInterruptRequiredPayload } from '../../src/payloads/interrupt.js';
import { buildStatusMessagePayload } from '../../src/payloads/status.js';
import {
  buildSystemToolChunkPayload,
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
} from '../../src/payloads/system-tool.js';
import { buildToolEventPayload } from '../../src/payloads/tool.js';
import { buildErrorPayload, buildFinalPayload, buildSessionStartPayload } from '../../src/payloads/turn.js';

const tool = buildToolEventPayload({ toolName: 'n', toolId: 't', status: 'executing' });
expectTypeOf(tool).toExtend<AppEvent>();
expectTypeOf(tool.event_name).toEqualTypeOf<'tool_event'>();
expectTypeOf(tool.contract_version).toEqualTypeOf<'v1'>();
expectTypeOf(tool.tool.tool_id).toEqualTypeOf<string>();
expectTypeOf(buildFinalPayload({ response: 'x' })).toExtend<Record<string, unknown>>();
expectTypeOf(
  buildAssistantChunkPayload({ assistantId: 'a', text: 'x' }).assistant.replace_content,
).toEqualTypeOf<true | undefined>();

// @ts-expect-error the id of the invocation is needed
buildToolEventPayload({ toolName: 'n', status: 'executing' });
// @ts-expect-error arguments are spelled in camelCase
buildToolEventPayload({ tool_name: 'n', toolId: 't', status: 'executing' });

expectTypeOf(tool).toExtend<FamilyPayload<'tool_event'>>();
expectTypeOf(buildFinalPayload({ response: null })).toExtend<FamilyPayload<'final'>>();
expectTypeOf(buildErrorPayload({ error: 'e' })).toExtend<FamilyPayload<'error'>>();
expectTypeOf(buildSessionStartPayload({ sessionId: 's', assistantId: 'a' })).toExtend<
  FamilyPayload<'session_start'>
>();
expectTypeOf(buildAgentAssignmentPayload({ agentName: 'a', status: 's' })).toExtend<
  FamilyPayload<'agent_assignment'>
>();
expectTypeOf(buildEnrichmentPayload({ phase: 'p', message: 'm' })).toExtend<FamilyPayload<'enrichment'>>();
expectTypeOf(
  buildHookFiredPayload({ name: 'n', stage: 'before', status: 'completed', targetType: 'tool' }),
).toExtend<FamilyPayload<'hook_fired'>>();
expectTypeOf(buildInterruptRequiredPayload({ interruptId: 'i', dataKey: 'd', prompt: 'p' })).toExtend<
  FamilyPayload<'interrupt_required'>
>();
expectTypeOf(buildStatusMessagePayload({ assistantId: 'a', message: 'm' })).toExtend<
  FamilyPayload<'status_message'>
>();
expectTypeOf(buildAssistantChunkPayload({ assistantId: 'a', text: 't' })).toExtend<
  FamilyPayload<'assistant_chunk'>
>();
expectTypeOf(buildSystemToolStartPayload({ toolType: 'n', toolId: 't' })).toExtend<
  FamilyPayload<'system_tool_start'>
>();
expectTypeOf(buildSystemToolChunkPayload({ toolId: 't', text: 'x' })).toExtend<
  FamilyPayload<'system_tool_chunk'>
>();
expectTypeOf(buildSystemToolCompletePayload({ toolId: 't', result: 1 })).toExtend<
  FamilyPayload<'system_tool_complete'>
>();
