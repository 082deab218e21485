import { expect, it } from 'vitest';
import { readResumeRequest, readStartRequest } from '../../src/ingress/read-request.js';

const tool = { tool_id: 't', agent_id: 'a', name: 'tool', description: 'A tool' };
const human = { type: 'human', content: 'go' };
const start = (state: object) => readStartRequest({ state: { messages: [human], ...state } });

it.each<[string, object, object]>([
  [
    'of a tool',
    {
      tools: [
        { ...tool, tool_type: null, always_execute: null, final_tool: null, metadata: null, args_schema: {} },
      ],
    },
    { tools: [{ ...tool, args_schema: {} }] },
  ],
  [
    'of the metadata of a tool',
    {
      tools: [
        {
          ...tool,
          args_schema: {},
          metadata: {
            target_agent_id: null,
            schema_only: null,
            arg_policies: { x: { compose_artifact: { mode: null, approval: null } } },
            producer_references: null,
            execution_controls: {
              await_for: [{ tool_id: 'u', timing: null, instance_control: null }],
              reevaluate: null,
            },
          },
        },
      ],
    },
    {
      tools: [
        {
          ...tool,
          args_schema: {},
          metadata: {
            arg_policies: { x: { compose_artifact: {} } },
            execution_controls: { await_for: [{ tool_id: 'u' }] },
          },
        },
      ],
    },
  ],
  [
    'of a swarm member',
    {
      swarm_config: {
        agent_roster: [{ agent_id: 'a', name: 'a', has_final_tool: null, use_as_final_output: null }],
      },
    },
    { swarm_config: { agent_roster: [{ agent_id: 'a', name: 'a' }] } },
  ],
  ['of a whitelist', { pii_whitelist: { entries: null, phi_mode: null } }, { pii_whitelist: {} }],
  [
    'of a message',
    {
      messages: [
        {
          type: 'redacted',
          content: 'x',
          additional_kwargs: { attachments: [{ name: null, mime_type: null, text_content: 'y' }] },
          pii_whitelist: { entries: null },
        },
        { type: 'human', content: 'x', attachments: [{ name: null, text_content: 'y' }] },
      ],
    },
    {
      messages: [
        {
          type: 'redacted',
          content: 'x',
          additional_kwargs: { attachments: [{ text_content: 'y' }] },
          pii_whitelist: {},
        },
        { type: 'human', content: 'x', attachments: [{ text_content: 'y' }] },
      ],
    },
  ],
])('null in a field %s counts as absent', (_, withNulls, without) => {
  expect(start(withNulls)).toEqual(start(without));
});

it('null is kept in schemas and in the caller’s own data, where it is a value', () => {
  const args_schema = { properties: { x: { type: ['string', 'null'], default: null } } };
  const metadata = { default_args: { x: null } };
  expect(start({ tools: [{ ...tool, args_schema, metadata }] }).state.tools).toMatchObject([
    { args_schema, metadata },
  ]);
});

it('a null status of a result counts as absent', () => {
  const value = { tool_event_id: 'ev-1', status: null, result: 'x' };
  expect(readResumeRequest({ value })).toMatchObject({ value: { result: 'x' } });
});

it('other fields of a message are kept', () => {
  const message = {
    ...human,
    additional_kwargs: { note: 'x' },
    pii_whitelist: { entries: [{ value: 'x', justification: 'it is public' }] },
  };
  expect(start({ messages: [message] }).state.messages).toMatchObject([message]);
});
