import { describe, expect, it } from 'vitest';
import * as eventNames from '../../src/event-names.js';
import * as root from '@svc/contracts';
import * as sdkError from '../../src/sdk-error.js';
import * as sse from '../../src/sse.js';
import * as v1 from '@svc/contracts/v1';

const names = (entry: object) => Object.keys(entry).toSorted();

const descriptors = [
  'AssignmentDescriptorSchema',
  'AssistantDescriptorSchema',
  'ChunkDescriptorSchema',
  'EnrichmentDescriptorSchema',
  'ErrorInfoDescriptorSchema',
  'HookDescriptorSchema',
  'InterruptDescriptorSchema',
  'LifecycleDescriptorSchema',
  'OutputDescriptorSchema',
  'ParticipantDescriptorSchema',
  'ScopeDescriptorSchema',
  'SessionDescriptorSchema',
  'StatusDescriptorSchema',
  'ToolDescriptorSchema',
];
const families = [
  'AgentAssignmentPayloadSchema',
  'AssistantChunkPayloadSchema',
  'EnrichmentPayloadSchema',
  'ErrorPayloadSchema',
  'FAMILY_PAYLOAD_SCHEMAS',
  'FinalPayloadSchema',
  'HookFiredPayloadSchema',
  'InterruptRequiredPayloadSchema',
  'SessionEndPayloadSchema',
  'SessionStartPayloadSchema',
  'StatusMessagePayloadSchema',
  'StreamGapPayloadSchema',
  'SystemToolChunkPayloadSchema',
  'SystemToolCompletePayloadSchema',
  'SystemToolErrorPayloadSchema',
  'SystemToolStartPayloadSchema',
  'ToolEventPayloadSchema',
];
const models = ['AppEventSchema', 'EventEnvelopeSchema', 'RawSSEEventSchema', 'modelDump', 'parseAppEvent'];
const eventNameExports = [
  'AGENT_ASSIGNMENT_EVENT_NAME',
  'APP_EVENT_CONTRACT_VERSION',
  'ASSISTANT_CHUNK_EVENT_NAME',
  'CONTRACT_EVENT_NAMES',
  'ENRICHMENT_EVENT_NAME',
  'ERROR_EVENT_NAME',
  'FINAL_EVENT_NAME',
  'HOOK_FIRED_EVENT_NAME',
  'INTERRUPT_REQUIRED_EVENT_NAME',
  'KNOWN_FAMILY_NAMES',
  'MODEL_TOOL_COMPLETE_EVENT_NAME',
  'PROGRESS_UPDATE_EVENT_NAME',
  'SESSION_END_EVENT_NAME',
  'SESSION_START_EVENT_NAME',
  'STATUS_MESSAGE_EVENT_NAME',
  'STREAM_GAP_EVENT_NAME',
  'SYSTEM_TOOL_CHUNK_EVENT_NAME',
  'SYSTEM_TOOL_COMPLETE_EVENT_NAME',
  'SYSTEM_TOOL_ERROR_EVENT_NAME',
  'SYSTEM_TOOL_START_EVENT_NAME',
  'TERMINAL_EVENT_NAMES',
  'TOOL_EVENT_NAME',
  'UPDATE_EVENT_NAME',
  'isContractEventName',
  'isKnownFamilyName',
];

describe('the entries', () => {
  it('@svc/contracts exports only the models, descriptors, families and event names', () => {
    expect(names(root)).toEqual([...models, ...descriptors, ...families, ...eventNameExports].toSorted());
  });

  it('@svc/contracts/v1 exports the same', () => {
    expect(v1).toEqual(root);
    expect(names(v1)).toEqual(names(root));
  });

  it.each([
    ['event-names', eventNames, eventNameExports],
    ['sdk-error', sdkError, ['MaivnSDKError', 'isSdkError']],
    ['sse', sse, ['encodeFrame']],
  ])('@svc/contracts/%s exports only its own names', (_entry, entry, expected) => {
    expect(names(entry)).toEqual(expected);
  });
});
