import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  MAX_ATTACHMENT_BYTES,
  parseAttachment,
  type AttachmentInput,
} from '../../src/messages/attachment.js';
import {
  AIMessage,
  HumanMessage,
  parseMessages,
  RedactedMessage,
  SystemMessage,
} from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { startAgent } from '../agent-setup.js';

describe('the input of a run', () => {
  it('may be a string, a message or a list', () => {
    const message = new HumanMessage('x');
    expect(parseMessages('x')).toEqual([message]);
    expect(parseMessages(message)).toEqual([message]);
    expect(parseMessages([new AIMessage('a'), message])).toHaveLength(2);
  });

  it.each([
    [[]],
    [[{ type: 'human', content: 'x' }]],
    [Object.assign([], { 1: new HumanMessage('x') })],
    [5],
    [undefined],
  ])('cannot be %j', (input) => {
    expect(() => parseMessages(input as never)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_MESSAGES' }),
    );
  });

  it.each([
    ['with the system prompt of the agent', [], undefined],
    ['with its own system message instead, if it contains one', [new SystemMessage('own')], 'own'],
  ])('is sent %s', async (_name, extra, expected) => {
    await using setup = await startAgent((session) => session.finish(), { systemPrompt: 'prompt' });
    await setup.agent.invoke([...extra, new HumanMessage('x')]);
    const [body] = setup.bodies('/start-session');
    const contents = Object(body).state.messages.map(({ content }: { content: string }) => content);
    expect(contents).toEqual([expected ?? 'prompt', 'x']);
  });
});

it('an attachment is sent with its metadata', async () => {
  await using setup = await startAgent((session) => session.finish());
  const attachment = {
    text: 'hi',
    sharingScope: 'project',
    sourceUrl: 'https://x.example',
    tags: ['t'],
  } as const;
  await setup.agent.invoke(new HumanMessage('x', { attachments: [attachment] }));
  expect(setup.bodies('/start-session')).toMatchObject([
    {
      state: {
        messages: [
          {
            additional_kwargs: {
              attachments: [
                {
                  content_base64: 'aGk=',
                  sharing_scope: 'project',
                  source_url: 'https://x.example',
                  tags: ['t'],
                },
              ],
            },
          },
        ],
      },
    },
  ]);
});

describe('an attachment', () => {
  it.each<[string, AttachmentInput, object]>([
    [
      'of bytes',
      { bytes: new Uint8Array([104, 105]) },
      { name: 'attachment.bin', mimeType: 'application/octet-stream' },
    ],
    ['of text', { text: 'hi', name: 'a.txt' }, { name: 'a.txt', mimeType: 'text/plain' }],
    ['of base64', { base64: 'aGk=', mimeType: 'x/y' }, { mimeType: 'x/y' }],
    ['with a path as its name', { text: 'hi', name: '/etc/passwd' }, { name: 'passwd' }],
    ['with a blank name', { text: 'hi', name: '/tmp/ ' }, { name: 'attachment.bin' }],
    ['with a Windows path', { text: 'hi', name: String.raw`C:\a\b.txt` }, { name: 'b.txt' }],
    ['with a long name', { text: 'hi', name: 'x'.repeat(300) }, { name: 'x'.repeat(300) }],
    [
      'with fields that are null',
      JSON.parse('{"text":"hi","bytes":null,"name":null}'),
      { name: 'attachment.bin' },
    ],
  ])('%s is parsed', (_name, input, expected) => {
    expect(parseAttachment(input)).toMatchObject({ contentBase64: 'aGk=', ...expected });
  });

  it.each(['agent', 'swarm', 'project', 'org'] as const)('may have the sharing scope %s', (sharingScope) => {
    expect(parseAttachment({ text: 'hi', sharingScope })).toMatchObject({ sharingScope });
  });

  it('may be up to 50 MiB', () => {
    expect(MAX_ATTACHMENT_BYTES).toBe(52_428_800);
    expect(() => parseAttachment({ bytes: new Uint8Array(MAX_ATTACHMENT_BYTES) })).not.toThrow();
    const base64 = Buffer.alloc(MAX_ATTACHMENT_BYTES).toString('base64');
    expect(parseAttachment({ base64 }).contentBase64.length).toBe(base64.length);
  });

  it.each<[string, AttachmentInput]>([
    ['no content', {}],
    ['empty text', { text: '' }],
    ['two contents', { text: 'a', base64: 'aGk=' }],
    ['invalid base64', { base64: 'not base64!' }],
    ['truncated base64', { base64: 'aGk' }],
    ['base64 with too much padding', { base64: 'a===' }],
    ['base64 that continues after its padding', { base64: 'aGk=aGk=' }],
    ['more than 50 MiB', { bytes: new Uint8Array(MAX_ATTACHMENT_BYTES + 1) }],
    ['a number', JSON.parse('5')],
    ['text that is not a string', JSON.parse('{"text":5}')],
    ['text with a name that is not a string', JSON.parse('{"text":"hi","name":5}')],
    ['text with an unknown sharing scope', JSON.parse('{"text":"hi","sharingScope":"privat"}')],
    ['text with tags that are not an array', JSON.parse('{"text":"hi","tags":"a"}')],
  ])('of %s is refused', (_name, input) => {
    expect(() => parseAttachment(input)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_ATTACHMENT' }),
    );
  });
});

describe('the constructors of messages and PrivateData', () => {
  const unknown = 'CONFIG_UNKNOWN_OPTION';
  const invalid = 'CONFIG_INVALID_OPTION';
  const redacted = (options: object) => () => new RedactedMessage('I am Bob', options);

  it.each<[string, () => unknown, string, string]>([
    [
      'an unknown option of HumanMessage',
      () => new HumanMessage('x', { nam: 'Bob' } as object),
      unknown,
      "'nam'",
    ],
    [
      'an unknown option of AIMessage',
      () => new AIMessage('x', { attachments: [] } as object),
      unknown,
      'AIMessage',
    ],
    [
      'an unknown option of SystemMessage',
      () => new SystemMessage('x', { idd: 'Bob' } as object),
      unknown,
      "'idd'",
    ],
    [
      'knownPiiValues of a HumanMessage',
      () => new HumanMessage('x', { knownPiiValues: [] } as object),
      unknown,
      'Pii',
    ],
    ['misspelled knownPiiValues', redacted({ known_pii_values: ['Bob'] }), unknown, "'known_pii_values'"],
    ['knownPiiValues that are not an array', redacted({ knownPiiValues: 'Bob' }), invalid, 'knownPiiValues'],
    [
      'a known value that is a plain object',
      redacted({ knownPiiValues: [{ vlaue: 'Bob' }] }),
      invalid,
      'PrivateData',
    ],
    ['a known value that is a number', redacted({ knownPiiValues: [4711] }), invalid, 'knownPiiValues'],
    [
      'a known PrivateData that contains an object',
      redacted({ knownPiiValues: [new PrivateData({ value: { first: 'Bob' } })] }),
      invalid,
      'a string or a number',
    ],
    ['a piiWhitelist of another class', redacted({ piiWhitelist: { entries: [] } }), invalid, 'piiWhitelist'],
    ['attachments that are not an array', redacted({ attachments: 'Bob' }), invalid, 'attachments'],
    [
      'a block that is a number',
      () => new HumanMessage(['x', 5 as never]),
      'CONFIG_INVALID_MESSAGES',
      'blocks',
    ],
    [
      'a block that is a hole',
      () => new HumanMessage(Object.assign([], { 1: 'x' })),
      'CONFIG_INVALID_MESSAGES',
      'blocks',
    ],
    [
      'a known value that is a hole',
      redacted({ knownPiiValues: Object.assign([], { 1: 'Bob' }) }),
      invalid,
      'knownPiiValues',
    ],
    [
      'an attachment that is a hole',
      redacted({ attachments: Object.assign([], { 1: { text: 'Bob' } }) }),
      'CONFIG_INVALID_ATTACHMENT',
      'undefined',
    ],
    ['a block that is null', () => new AIMessage([null as never]), 'CONFIG_INVALID_MESSAGES', 'blocks'],
    [
      'a block that is an array',
      () => new SystemMessage([['Bob'] as never]),
      'CONFIG_INVALID_MESSAGES',
      'blocks',
    ],
    [
      'a block that JSON cannot represent',
      () => new HumanMessage([{ n: 1n }]),
      'CONFIG_INVALID_MESSAGES',
      'as JSON',
    ],
    ['a name that is not a string', redacted({ name: 5 }), invalid, 'name'],
    [
      'an unknown option of PrivateData',
      () => new PrivateData({ vlaue: 'Bob' } as never),
      unknown,
      "'vlaue'",
    ],
    [
      'PrivateData of a string',
      () => new PrivateData('Bob' as never),
      invalid,
      'PrivateData expects an object',
    ],
  ])('refuse %s, without repeating its content', (_name, make, code, naming) => {
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(naming) }));
    expect(make).not.toThrow(/Bob/);
  });

  it.each(['name', 'piiType', 'label', 'description', 'format'])(
    'refuse an array as the %s of PrivateData',
    (option) => {
      expect(() => new PrivateData({ value: 1, [option]: ['Bob'] })).toThrow(
        expect.objectContaining({ code: invalid, details: { options: [option] } }),
      );
    },
  );

  it('treat null and undefined as absent, and copy a PrivateData', () => {
    const absent = { id: null, name: undefined, attachments: null, knownPiiValues: null, piiWhitelist: null };
    expect(new RedactedMessage('x', absent as object)).toEqual(new RedactedMessage('x'));
    const described = new PrivateData({ value: 'v', name: 'n', label: 'l' });
    expect(new PrivateData(described)).toMatchObject({ value: 'v', name: 'n', label: 'l' });
  });
});

it('private values are hidden when printed or serialized', () => {
  const described = { name: 'n', piiType: 'p', label: 'l', description: 'd', format: 'f' };
  const known = new PrivateData({ value: 'Bob', ...described });
  expect(inspect(known)).toBe("PrivateData { name: 'n', value: [hidden] }");
  expect(JSON.parse(JSON.stringify(known))).toEqual(described);
  const message = new RedactedMessage('I am Bob', { knownPiiValues: [known] });
  expect(inspect([message])).toBe('[ RedactedMessage { content: [hidden] } ]');
  expect(JSON.stringify([message])).toBe('[{"type":"redacted","content":"[hidden]"}]');
});
