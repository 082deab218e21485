import { describe, expect, it } from 'vitest';
import { SessionRequestSchema, StartSessionRequestSchema } from '../../src/session/session-request.js';

const tool = {
  tool_id: 't-1',
  agent_id: 'a-1',
  name: 'charge_card',
  description: 'Charge a card',
  tags: null,
  args_schema: {
    properties: {
      order: { type: 'tool_dependency', tool_id: 't-0' },
      note: { type: 'string', default: null },
    },
    required: ['order'],
  },
};

describe('the start request', () => {
  it('fills in the documented defaults', () => {
    expect(SessionRequestSchema.parse({})).toEqual({
      messages: [],
      tools: [],
      force_final_tool: false,
      stream_response: true,
      status_messages: false,
    });
  });

  it('keeps unknown fields of a newer peer at every level', () => {
    const state = { later: 1, tools: [{ ...tool, later: 2 }], execution_config: { later: 3 } };
    const parsed = StartSessionRequestSchema.parse({ state, client_id: 'sdk-1', later: 4 });
    expect(parsed).toMatchObject({
      later: 4,
      state: { later: 1, tools: [{ later: 2 }], execution_config: { later: 3 } },
    });
  });

  it('keeps a null inside a tool schema', () => {
    const [spec] = SessionRequestSchema.parse({ tools: [tool] }).tools;
    expect(spec?.args_schema.properties?.['note']).toEqual({ type: 'string', default: null });
    expect(spec).toMatchObject({ tool_type: 'func', always_execute: false, final_tool: false });
  });

  it.each([
    ['a message of an unknown kind', { messages: [{ type: 'oracle', content: 'x' }] }],
    ['a message without content', { messages: [{ type: 'human' }] }],
    ['a tool without an id', { tools: [{ ...tool, tool_id: '' }] }],
    ['a negative timeout', { execution_config: { timeout: -1 } }],
    ['a limit of zero cycles', { orchestration_config: { max_cycles: 0 } }],
    ['an unknown mode', { orchestration_config: { mode: 'anything' } }],
  ])('refuses %s', (_, state) => {
    expect(SessionRequestSchema.safeParse(state).success).toBe(false);
  });
});
