import { describe, expect, test } from 'vitest';
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
import { builderDeviations } from './builder-deviations.ts';
import { applyDeviations, withSpecifiedIds } from './deviations.ts';
import { readVectors, toOptions } from './vector.ts';

type Keywords = Record<string, unknown>;

const builders: Record<string, (keywords: Keywords) => object> = {
  build_tool_event_payload: (from) => buildToolEventPayload(toOptions(from)),
  build_system_tool_start_payload: (from) => buildSystemToolStartPayload(toOptions(from)),
  build_system_tool_chunk_payload: (from) => buildSystemToolChunkPayload(toOptions(from)),
  build_system_tool_complete_payload: (from) => buildSystemToolCompletePayload(toOptions(from)),
  build_assistant_chunk_payload: (from) => buildAssistantChunkPayload(toOptions(from)),
  build_status_message_payload: (from) => buildStatusMessagePayload(toOptions(from)),
  build_interrupt_required_payload: (from) => buildInterruptRequiredPayload(toOptions(from)),
  build_agent_assignment_payload: (from) => buildAgentAssignmentPayload(toOptions(from)),
  build_enrichment_payload: (from) => buildEnrichmentPayload(toOptions(from)),
  build_final_payload: (from) => buildFinalPayload(toOptions(from)),
  build_error_payload: (from) => buildErrorPayload(toOptions(from)),
  build_session_start_payload: (from) => buildSessionStartPayload(toOptions(from)),
  build_hook_fired_payload: (from) => buildHookFiredPayload(toOptions(from)),
};

const vectors = readVectors<{ helper: string }, Keywords, { payload: Keywords }>('builders');

describe('the payload builders, compared with recordings of the original', () => {
  test.each(vectors)('$id', ({ id, options, input, expected }) => {
    const build = builders[options.helper];
    const specified = { payload: withSpecifiedIds(expected.payload) };
    expect({ payload: build?.(input) }).toStrictEqual(
      applyDeviations(specified, builderDeviations[id] ?? []),
    );
  });

  test('deviations are only listed for cases that exist', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(builderDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
