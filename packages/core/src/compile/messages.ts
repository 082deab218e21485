import type { MessageInput } from '@svc/contracts/orchestrator';
import type { Attachment } from '../messages/attachment.js';
import { SystemMessage, type Message, type MessageContent } from '../messages/message.js';
import { present } from '../present.js';

/** Compiles redacted messages for the wire. The system prompt comes first, unless the list has a system message. */
export function compileMessages(
  messages: readonly Message[],
  systemPrompt: string | undefined,
): MessageInput[] {
  const hasSystemMessage = messages.some((message) => message instanceof SystemMessage);
  const all =
    systemPrompt === undefined || hasSystemMessage
      ? messages
      : [new SystemMessage(systemPrompt), ...messages];
  return all.map(compileMessage);
}

function compileMessage(message: Message): MessageInput {
  const { id, name } = message;
  const base = {
    content: compileContent(message.content),
    additional_kwargs: {},
    response_metadata: {},
    ...present({ id, name }),
  };
  switch (message.type) {
    case 'ai':
      return { ...base, type: 'ai', tool_calls: [], invalid_tool_calls: [] };
    case 'system':
      return { ...base, type: 'system' };
    case 'redacted':
      throw new TypeError('A RedactedMessage must be redacted before it is compiled.');
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

function compileContent(content: MessageContent): MessageInput['content'] {
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : { ...part }));
}

function compileAttachment(attachment: Attachment): Record<string, unknown> {
  const { name, mimeType, contentBase64, description, tags, sharingScope, sourceUrl } = attachment;
  return present({
    name,
    mime_type: mimeType,
    content_base64: contentBase64,
    sharing_scope: sharingScope,
    description,
    source_url: sourceUrl,
    tags: tags && [...tags],
  });
}
