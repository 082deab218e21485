import { describe, expect, it } from 'vitest';
import * as names from '../src/event-names.js';

describe('event names', () => {
  it('have the values of the contract', () => {
    const constants = Object.entries(names).filter(([, value]) => typeof value === 'string');
    expect(Object.fromEntries(constants)).toEqual({
      APP_EVENT_CONTRACT_VERSION: 'v1',
      TOOL_EVENT_NAME: 'tool_event',
      UPDATE_EVENT_NAME: 'update',
      PROGRESS_UPDATE_EVENT_NAME: 'progress_update',
      STATUS_MESSAGE_EVENT_NAME: 'status_message',
      ENRICHMENT_EVENT_NAME: 'enrichment',
      INTERRUPT_REQUIRED_EVENT_NAME: 'interrupt_required',
      SYSTEM_TOOL_START_EVENT_NAME: 'system_tool_start',
      SYSTEM_TOOL_CHUNK_EVENT_NAME: 'system_tool_chunk',
      SYSTEM_TOOL_COMPLETE_EVENT_NAME: 'system_tool_complete',
      SYSTEM_TOOL_ERROR_EVENT_NAME: 'system_tool_error',
      MODEL_TOOL_COMPLETE_EVENT_NAME: 'model_tool_complete',
      HOOK_FIRED_EVENT_NAME: 'hook_fired',
      FINAL_EVENT_NAME: 'final',
      ERROR_EVENT_NAME: 'error',
      ASSISTANT_CHUNK_EVENT_NAME: 'assistant_chunk',
      AGENT_ASSIGNMENT_EVENT_NAME: 'agent_assignment',
      SESSION_START_EVENT_NAME: 'session_start',
      SESSION_END_EVENT_NAME: 'session_end',
      STREAM_GAP_EVENT_NAME: 'stream_gap',
    });
  });

  it('group into eleven rebuilt families, sixteen contract events and three terminal ones', () => {
    expect(names.KNOWN_FAMILY_NAMES).toHaveLength(11);
    expect(new Set(names.CONTRACT_EVENT_NAMES).size).toBe(16);
    expect([...names.TERMINAL_EVENT_NAMES]).toEqual(['final', 'error', 'session_end']);
  });

  it.each([
    'update',
    'progress_update',
    'model_tool_complete',
    'turn_complete',
    'heartbeat',
    'constructor',
    'Final',
    ' final',
  ])('do not include %o among the contract events', (name) => {
    expect(names.isContractEventName(name)).toBe(false);
    expect(names.isKnownFamilyName(name)).toBe(false);
  });

  it('include hook_fired as a contract event that bridges do not rebuild', () => {
    expect(names.isContractEventName('hook_fired')).toBe(true);
    expect(names.isKnownFamilyName('hook_fired')).toBe(false);
    expect(names.isKnownFamilyName('tool_event')).toBe(true);
  });
});
