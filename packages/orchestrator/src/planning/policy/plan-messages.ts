import {
  AttachmentSchema,
  type Attachment,
  type Message,
  type MessageContent,
} from '@svc/contracts/orchestrator';
import type { PlanAttachment, PlanMessage } from '../plan-context.js';

/** The text of a message: its text parts, one per line; other parts are replaced by a label. */
function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      const { text } = part;
      return typeof text === 'string' ? text : `[${part.type ?? 'part'}]`;
    })
    .join('\n');
}

const roles = {
  human: 'user',
  redacted: 'user',
  system: 'system',
  ai: 'assistant',
  tool: 'tool',
} as const satisfies Record<Message['type'], PlanMessage['role']>;

/** The files attached to a message; anything else is left out. */
export function attachmentsOf({ additional_kwargs: { attachments } }: Message): Attachment[] {
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((raw) => AttachmentSchema.safeParse(raw).data ?? []);
}

const planAttachment = ({ name, mime_type, text_content, content_base64 }: Attachment): PlanAttachment => ({
  name,
  mime_type,
  ...(typeof text_content === 'string' ? { text: text_content } : {}),
  ...(typeof content_base64 === 'string' ? { content_base64 } : {}),
});

/** Messages from the wire as planners see them. They must be redacted before. */
export function planMessages(messages: readonly Message[]): PlanMessage[] {
  return messages.map((message) => {
    const attachments = attachmentsOf(message).map(planAttachment);
    return {
      role: roles[message.type],
      content: contentText(message.content),
      ...(attachments.length > 0 ? { attachments } : {}),
    };
  });
}
