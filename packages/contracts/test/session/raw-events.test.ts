import { describe, expect, it } from 'vitest';
import { RAW_EVENT_PAYLOADS } from '../../src/session/raw-events.js';

describe('the payload schemas of raw events', () => {
  it.each([
    [
      'tool_event',
      { id: 'ev-1', value: { tool_call: { tool_id: 't', args: { a: 1 } }, private_data_injected: ['k'] } },
    ],
    ['tool_event', { id: 'ev-1', value: { tool_calls: [{ tool_id: 't', args: {} }] } }],
    ['tool_event', { id: 'ev-1', value: { barrier: true } }],
    [
      'interrupt_required',
      { checkpoint_id: 'c', data_key: 'd', prompt: '?', choices: ['a'], args_digest: 'x' },
    ],
    ['final', { status: 'completed', responses: ['x'], result: { a: 1 } }],
    ['final', { status: 'cancelled', error: 'stopped', responses: [] }],
    ['update', { streaming_content: 'abc', assistant_id: 'assistant' }],
  ] as const)('parse %s unchanged: %j', (name, payload) => {
    expect(RAW_EVENT_PAYLOADS[name].parse(payload)).toEqual(payload);
  });

  it.each([
    [
      'tool_event',
      { id: 'e', value: { tool_call: { tool_id: 't', args: null } } },
      { value: { tool_call: { args: {} } } },
    ],
    [
      'tool_event',
      { id: 'e', value: { tool_calls: [{ tool_id: 't' }, { tool_id: 't', args: null }], tool_call: null } },
      { value: { tool_calls: [{ args: {} }, { args: {} }] } },
    ],
    [
      'final',
      { token_usage: { total_tokens: 5, reasoning_tokens: null } },
      { token_usage: { total_tokens: 5, input_tokens: 0, reasoning_tokens: 0 } },
    ],
    ['interrupt_request', { id: 'e', value: { arg_name: 'a', prompt: null } }, { value: { prompt: '' } }],
  ] as const)('read null in %s as absent: %j', (name, payload, expected) => {
    expect(RAW_EVENT_PAYLOADS[name].parse(payload)).toMatchObject(expected);
  });

  it.each([
    ['tool_event', { value: {} }],
    ['interrupt_required', { data_key: 'd', prompt: '?' }],
    ['status_message', {}],
    ['final', { token_usage: { total_tokens: 'many' } }],
  ] as const)('refuse a malformed %s: %j', (name, payload) => {
    expect(RAW_EVENT_PAYLOADS[name].safeParse(payload).success).toBe(false);
  });
});
