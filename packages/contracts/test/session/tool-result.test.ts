import { describe, expect, it } from 'vitest';
import { ResumeRequestSchema } from '../../src/session/tool-result.js';

describe('the body of a resume request', () => {
  it.each([
    ['a result', { tool_event_id: 'e', status: 'ok', result: null }],
    ['an error', { tool_event_id: 'e', status: 'error', error: { code: 'X', message: 'y' } }],
    ["an original client's result", { tool_event_id: 'e', result: 'error:no' }],
    ["an original client's answer", { 'ev-1': { arg_name: 'a', value: '' } }],
  ])('accepts %s', (_, value) => {
    expect(ResumeRequestSchema.parse({ value })).toEqual({ value });
  });

  it.each([
    ['an error without a message', { tool_event_id: 'e', status: 'error', error: { code: 'X' } }],
    ['an empty event id', { tool_event_id: '', status: 'ok', result: 1 }],
    ['a string', 'ok'],
  ])('refuses %s', (_, value) => {
    expect(ResumeRequestSchema.safeParse({ value }).success).toBe(false);
  });
});
