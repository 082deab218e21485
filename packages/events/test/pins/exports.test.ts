import { expect, it } from 'vitest';
import * as root from '../../src/index.js';
import * as sqlite from '../../src/sqlite.js';
import * as testing from '../../src/testing.js';

const eventNames = [
  'AGENT_ASSIGNMENT_EVENT_NAME',
  'ASSISTANT_CHUNK_EVENT_NAME',
  'ENRICHMENT_EVENT_NAME',
  'ERROR_EVENT_NAME',
  'FINAL_EVENT_NAME',
  'HOOK_FIRED_EVENT_NAME',
  'INTERRUPT_REQUIRED_EVENT_NAME',
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
  'TOOL_EVENT_NAME',
  'UPDATE_EVENT_NAME',
];
const builders = [
  'buildAgentAssignmentPayload',
  'buildAssistantChunkPayload',
  'buildEnrichmentPayload',
  'buildErrorPayload',
  'buildFinalPayload',
  'buildHookFiredPayload',
  'buildInterruptRequiredPayload',
  'buildSessionStartPayload',
  'buildStatusMessagePayload',
  'buildSystemToolChunkPayload',
  'buildSystemToolCompletePayload',
  'buildSystemToolStartPayload',
  'buildToolEventPayload',
];
const bridge = ['APP_EVENT_CONTRACT_VERSION', 'BridgeRegistry', 'EventBridge', 'validateEvent'];
const streams = [
  'NormalizedEventForwardingState',
  'NormalizedStreamState',
  'forwardNormalizedEvent',
  'forwardNormalizedStream',
  'normalizeStream',
  'normalizeStreamEvent',
  'toRawSseEvent',
];
const logs = ['MemoryEventLog', 'createEpoch', 'createLogPage', 'formatEventId', 'parseEventId'];
const errors = [
  'EventLogUnavailableError',
  'EventSchemaError',
  'LogClosedError',
  'LogGapError',
  'SessionLimitError',
  'StaleEpochError',
];

it.each([
  ['@svc/events', root, [...eventNames, ...builders, ...bridge, ...streams, ...logs, ...errors].toSorted()],
  ['@svc/events/sqlite', sqlite, ['sqliteEventLog']],
  ['@svc/events/testing', testing, ['chaosProxy', 'describeEventLog']],
])('%s exports exactly the public names', (_, entry, names) => {
  expect(Object.keys(entry).toSorted()).toEqual(names);
});
