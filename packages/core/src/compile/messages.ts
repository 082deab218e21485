import type { MessageInput } from '@svc/contracts/orchestrator';
import type { Attachment } from '../messages/attachment.js';
import { SystemMessage, type Message, type MessageContent } from '../messages/message.js';

/** Takes private values out of a text. */
export type CleanText = (text: string) => string;

/** Messages as they stand on the wire, after redaction. The system prompt leads unless the list has a system message. */
export function compileMessages(
  messages: readonly Message[],
  systemPrompt: string | undefined,
  clean: CleanText,
): MessageInput[] {
  const hasOwn = messages.some((message) => message instanceof SystemMessage);
  const all =
    systemPrompt === undefined || hasOwn ? messages : [new SystemMessage(systemPrompt), ...messages];
  return all.map((message) => compileMessage(message, clean));
}

function compileMessage(message: Message, clean: CleanText): MessageInput {
  const base = {
    content: compileContent(message.content, clean),
    additional_kwargs: {},
    response_metadata: {},
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.name === undefined ? {} : { name: message.name }),
  };
  switch (message.type) {
    case 'ai':
      return { ...base, type: 'ai', tool_calls: [], invalid_tool_calls: [] };
    case 'system':
      return { ...base, type: 'system' };
    case 'redacted':
      throw new TypeError('A RedactedMessage is redacted before it is compiled.');
    case 'human': {
      const { attachments } = message;
      if (attachments.length === 0) return { ...base, type: 'human' };
      return {
        ...base,
        additional_kwargs: { attachments: attachments.map(compileAttachment) },
        type: 'human',
      };
    }
  }
}

function compileContent(content: MessageContent, clean: CleanText): MessageInput['content'] {
  if (typeof content === 'string') return clean(content);
  return content.map((part) => (typeof part === 'string' ? clean(part) : compileBlock(part, clean)));
}

/** A block's text is cleaned; bytes and addresses in other fields stay as they are. */
function compileBlock(block: Readonly<Record<string, unknown>>, clean: CleanText): Record<string, unknown> {
  const { text } = block;
  return typeof text === 'string' ? { ...block, text: clean(text) } : { ...block };
}

function compileAttachment(attachment: Attachment): Record<string, unknown> {
  const { name, mimeType, contentBase64, description, tags, sharingScope, sourceUrl } = attachment;
  return {
    name,
    mime_type: mimeType,
    content_base64: contentBase64,
    ...(sharingScope === undefined ? {} : { sharing_scope: sharingScope }),
    ...(description === undefined ? {} : { description }),
    ...(sourceUrl === undefined ? {} : { source_url: sourceUrl }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
}
