import { describe, expect, it } from 'vitest';
import {
  MAX_ATTACHMENT_BYTES,
  parseAttachment,
  type AttachmentInput,
} from '../../src/messages/attachment.js';
import { AIMessage, HumanMessage, parseMessages, SystemMessage } from '../../src/messages/message.js';
import { startAgent } from '../agent-setup.js';

describe('what a run starts from', () => {
  it('may be a text, a message or a list', () => {
    const message = new HumanMessage('x');
    expect(parseMessages('x')).toEqual([message]);
    expect(parseMessages(message)).toEqual([message]);
    expect(parseMessages([new AIMessage('a'), message])).toHaveLength(2);
  });

  it.each([
    ['nothing', [], undefined],
    ['a system message', [new SystemMessage('own')], 'own'],
  ])('has the scope’s prompt in front unless it brings %s', async (_name, extra, expected) => {
    await using setup = await startAgent((session) => session.finish(), { systemPrompt: 'prompt' });
    await setup.agent.invoke([...extra, new HumanMessage('x')]);
    const [body] = setup.bodies('/start-session');
    const contents = Object(body).state.messages.map(({ content }: { content: string }) => content);
    expect(contents).toEqual([expected ?? 'prompt', 'x']);
  });
});

it('an attachment is sent with what is said of it', async () => {
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
    ['with a path for a name', { text: 'hi', name: '/etc/passwd' }, { name: 'passwd' }],
    ['with a Windows path', { text: 'hi', name: String.raw`C:\a\b.txt` }, { name: 'b.txt' }],
    ['with a long name', { text: 'hi', name: 'x'.repeat(300) }, { name: 'x'.repeat(255) }],
  ])('%s', (_name, input, expected) => {
    expect(parseAttachment(input)).toMatchObject({ contentBase64: 'aGk=', ...expected });
  });

  it.each<[string, AttachmentInput]>([
    ['nothing', {}],
    ['an empty text', { text: '' }],
    ['two contents', { text: 'a', base64: 'aGk=' }],
    ['text that is no base64', { base64: 'not base64!' }],
    ['too much', { bytes: new Uint8Array(MAX_ATTACHMENT_BYTES + 1) }],
  ])('of %s is refused', (_name, input) => {
    expect(() => parseAttachment(input)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_ATTACHMENT' }),
    );
  });
});
