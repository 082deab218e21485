import { describe, expect, it } from 'vitest';
import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { hidePrivateData } from '../../src/ingress/hide-private-data.js';

const hide = (state: object) => hidePrivateData(SessionRequestSchema.parse(state));
const human = (content: unknown) => ({ type: 'human', content });
const redacted = (content: unknown, rest: object = {}) => ({ type: 'redacted', content, ...rest });

describe('hidePrivateData', () => {
  it('keeps the names and descriptions of private values, never a value', () => {
    const { request, summary } = hide({
      private_data: { card: 'tok_9', region: 'eu' },
      private_data_schema: [{ data_key: 'card', label: 'Card' }],
    });
    expect(request.private_data).toBeUndefined();
    expect(request.private_data_schema).toEqual([
      { data_key: 'card', label: 'Card' },
      { data_key: 'region' },
    ]);
    expect(summary).toBeUndefined();
  });

  it('replaces private values with placeholders in messages of any kind', () => {
    const { request } = hide({
      private_data: { card: 'tok_4711' },
      messages: [
        { type: 'system', content: 'The card is tok_4711.' },
        human([{ type: 'text', text: 'Charge tok_4711' }]),
        { type: 'ai', content: 'x', tool_calls: [{ args: { card: 'tok_4711' } }] },
        human(`encoded: ${encodeURIComponent('tok_4711')} ${JSON.stringify('tok_4711')}`),
      ],
    });
    expect(JSON.stringify(request)).not.toContain('4711');
    expect(request.messages[0]?.content).toBe('The card is {_{card}_}.');
    expect(request.messages.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'human']);
  });

  it('replaces private values in the keys of the caller’s own objects', () => {
    const { request } = hide({
      private_data: { card: 'tok_4711' },
      messages: [{ ...human('x'), of_tok_4711: 1, additional_kwargs: { tok_4711: 1 } }],
      tools: [
        {
          tool_id: 't',
          agent_id: 'a',
          name: 't',
          description: '',
          args_schema: {},
          metadata: { tok_4711: { tok_4711: 1 } },
        },
      ],
    });
    expect(request.messages[0]).toMatchObject({
      'of_{_{card}_}': 1,
      additional_kwargs: { '{_{card}_}': 1 },
    });
    expect(request.tools[0]?.metadata).toEqual({ '{_{card}_}': { '{_{card}_}': 1 } });
  });

  it.each(['dG9rZW4t', 'b3RoZXI='])(
    'does not change a file whose base64 contains "%s" by chance',
    (value) => {
      const attachments = [{ name: 'a', content_base64: 'dG9rZW4tb3RoZXI=' }];
      const { request } = hide({
        private_data: { value },
        messages: [{ ...human('x'), additional_kwargs: { attachments } }],
      });
      expect(request.messages[0]?.additional_kwargs['attachments']).toEqual(attachments);
    },
  );

  it('keeps identifiers and settings that equal a private value', () => {
    const args_schema = {
      properties: { email: { type: 'string', maxLength: 900, default: 'func' } },
      required: ['email'],
    };
    const tool = { tool_id: 'email', agent_id: 'email', name: 'email', tool_type: 'func' };
    const { request } = hide({
      private_data: { kind: 'func', channel: 'email', seconds: 900 },
      tools: [{ ...tool, args_schema, description: 'Sends email' }],
      execution_config: { timeout: 900 },
      targeted_tools: ['email'],
      swarm_config: { agent_invocation_tool_map: { email: 'email' } },
    });
    expect(request.tools[0]).toMatchObject({
      ...tool,
      description: 'Sends {_{channel}_}',
      args_schema: {
        properties: { email: { maxLength: 900, default: '{_{kind}_}' } },
        required: ['email'],
      },
    });
    expect(request.execution_config).toEqual({ timeout: 900 });
    expect(request.targeted_tools).toEqual(['email']);
    expect(request.swarm_config?.agent_invocation_tool_map).toEqual({ email: 'email' });
  });

  /** A state that contains the fixed words of the protocol, such as types and modes. */
  const everyWord = {
    messages: [{ type: 'tool', content: 'x', tool_call_id: 'c', status: 'success' }],
    tools: [
      {
        tool_id: 't',
        agent_id: 'a',
        name: 'report',
        description: '',
        tool_type: 'agent',
        args_schema: { properties: { text: { type: 'interrupt_dependency', collected_by: 'client' } } },
        metadata: {
          target_agent_id: 'a',
          arg_policies: { text: { compose_artifact: { mode: 'require', approval: 'explicit' } } },
          execution_controls: {
            await_for: [{ tool_id: 'fetch', timing: 'before', instance_control: 'each' }],
            reevaluate: [],
          },
          producer_references: [
            { argument_path: 'text', producer_tool_name: 'fetch', reference_kind: 'composition_reference' },
          ],
        },
      },
    ],
    orchestration_config: {
      mode: 'hybrid',
      stop_strategy: 'objective_satisfied',
      final_output_mode: 'terminal',
    },
    memory_config: {
      level: 'clarity',
      persistence_mode: 'persist_none',
      skill_extraction: { sharing_scope: 'project' },
    },
    swarm_config: { sdk_delivery_mode: 'invoke', included_nested_synthesis: 'auto', agent_roster: [] },
    reasoning: 'high',
  };
  const words = [...new Set([...JSON.stringify(everyWord).matchAll(/(?<=[:[]")\w{3,}(?="[,}\]])/g)].flat())];

  it.each(words)('keeps the protocol word "%s" when a private value equals it', (word) => {
    const { request } = hide({
      ...everyWord,
      private_data: { it: word },
      metadata: { note: `like ${word}` },
    });
    const { private_data_schema, metadata, ...rest } = request;
    const { private_data_schema: _none, ...expected } = hide(everyWord).request;
    expect(rest).toEqual(expected);
    expect(private_data_schema).toEqual([{ data_key: 'it' }]);
    if (word.length > 3) expect(metadata).toEqual({ note: 'like {_{it}_}' });
  });

  it.each([
    ['invalid base64', 'my tok_4711', 'my {_{card}_}'],
    ['the plain value', 'tok_4711', '{_{card}_}'],
    ['the value in base64', btoa('tok_4711'), btoa('{_{card}_}')],
    ['the value between other bytes', btoa('\xff\0tok_4711\x80'), btoa('\xff\0{_{card}_}\x80')],
    ['other base64', btoa('other'), btoa('other')],
    [
      'other base64 with a line break',
      `${btoa('other than this one')}\n`,
      `${btoa('other than this one')}\n`,
    ],
  ])('leaves no private value in a file that contains %s', (_, content_base64, expected) => {
    const attachments = [{ name: 'a', content_base64 }];
    const { request } = hide({
      private_data: { card: 'tok_4711' },
      messages: [{ ...human('x'), additional_kwargs: { attachments } }],
    });
    expect(request.messages[0]?.additional_kwargs['attachments']).toEqual([
      { name: 'a', content_base64: expected },
    ]);
  });

  it('redacts the names and texts of files in redacted messages, also in base64', () => {
    const text = 'Ask Maria Santos';
    const image = { name: 'b', content_base64: 'iVBORw0KGgo=' };
    const file = {
      name: `${text}.txt`,
      mime_type: 'text/plain',
      text_content: text,
      content_base64: btoa(text),
    };
    const message = redacted('Look', { known_pii_values: [{ value: 'Maria Santos', name: 'patient' }] });
    const { request } = hide({
      messages: [{ ...message, additional_kwargs: { attachments: [file, image] } }],
    });
    const hidden = 'Ask {_{patient}_}';
    expect(request.messages[0]?.additional_kwargs['attachments']).toEqual([
      { ...file, name: `${hidden}.txt`, text_content: hidden, content_base64: btoa(hidden) },
      image,
    ]);
  });

  it('redacts redacted messages, giving a value the same name in all of them', () => {
    const { request, summary } = hide({
      messages: [
        redacted('Mail john@example.com about Maria Santos', {
          known_pii_values: [
            { value: 'Maria Santos', name: 'patient', pii_type: 'person', label: 'Patient' },
          ],
        }),
        redacted([
          { type: 'text', text: 'Again john@example.com' },
          { type: 'image', url: 'x' },
        ]),
        human('Not asked: jane@example.com, but Maria Santos'),
        redacted('Nothing to redact'),
      ],
    });
    expect(request.messages.map(({ content }) => content)).toEqual([
      'Mail {_{pii_email_1}_} about {_{patient}_}',
      [
        { type: 'text', text: 'Again {_{pii_email_1}_}' },
        { type: 'image', url: 'x' },
      ],
      'Not asked: jane@example.com, but {_{patient}_}',
      'Nothing to redact',
    ]);
    expect(request.private_data_schema).toEqual([
      { data_key: 'pii_email_1', pii_type: 'email' },
      { data_key: 'patient', pii_type: 'person', label: 'Patient' },
    ]);
    expect(request.messages[0]).not.toHaveProperty('known_pii_values');
    expect(summary).toEqual({
      inserted_keys: ['pii_email_1', 'patient'],
      redacted_message_count: 2,
      redacted_value_count: 2,
    });
  });

  it('keeps what a known value is described with, except empty fields', () => {
    const known = { description: 'Who is treated', label: 'Patient', pii_type: 'person', format: 'name' };
    const { request } = hide({
      messages: [
        redacted('Maria Santos lives in Ghent, as case 77-B', {
          known_pii_values: [
            'Ghent',
            { value: ' Maria Santos ', name: 'patient', ...known },
            { value: '77-B', name: 'case', description: '', label: '', pii_type: '', format: '' },
          ],
        }),
      ],
    });
    expect(request.private_data_schema).toEqual([
      { data_key: 'patient', ...known },
      { data_key: 'pii_value_1', pii_type: 'value' },
      { data_key: 'case' },
    ]);
  });

  it('redacts every text part of a redacted message in place', () => {
    const { request } = hide({
      messages: [redacted(['I am', { type: 'image', url: 'x' }, { type: 'text', text: 'a@b.io' }, 'c@d.io'])],
    });
    expect(request.messages[0]?.content).toEqual([
      'I am',
      { type: 'image', url: 'x' },
      { type: 'text', text: '{_{pii_email_1}_}' },
      '{_{pii_email_2}_}',
    ]);
  });

  it('leaves whitelisted values, preferring the message’s whitelist to the session’s', () => {
    const whitelist = (value: string) => ({
      entries: [{ value, justification: 'published on the web site' }],
    });
    const { request } = hide({
      pii_whitelist: whitelist('info@example.com'),
      messages: [
        redacted('info@example.com john@example.com'),
        redacted('other@example.com sales@example.com', { pii_whitelist: whitelist('sales@example.com') }),
      ],
    });
    expect(request.messages.map(({ content }) => content)).toEqual([
      'info@example.com {_{pii_email_1}_}',
      '{_{pii_email_2}_} sales@example.com',
    ]);
    expect(request.pii_whitelist).toBeUndefined();
  });

  it('rejects a whitelist pattern that matches anything', () => {
    const pii_whitelist = { entries: [{ pattern: '.*', justification: 'because I can' }] };
    expect(() => hide({ pii_whitelist, messages: [redacted('x')] })).toThrow(
      expect.objectContaining({
        code: 'INVALID_WHITELIST',
        details: { problem: 'WHITELIST_PATTERN_TOO_PERMISSIVE' },
      }),
    );
  });
});
