import type { ModelMessage } from 'ai';
import { cutText } from '../../cut-text.js';
import { isTextType, utf8Text } from '../../file-text.js';
import type { PlanAttachment, PlanContext, PlanMessage } from '../plan-context.js';
import { memoryMessages } from './memory-message.js';
import { MAX_RESULT_LENGTH, showResults } from './show-results.js';
import { stepMessages } from './step-messages.js';
import type { ToolNames } from './tool-names.js';
import { isBlank } from './turn-messages.js';

type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number];

/** The files that models of all services take, as far as they take such files at all. */
const sentTypes = /^(?:image\/(?:png|jpeg|gif|webp)|audio\/[\w.+-]+|application\/pdf)$/;

/** More base64 digits, with line breaks, than the shown characters of a file can have. */
const maxDigits = 6 * MAX_RESULT_LENGTH;

/** The text of a file or, of a long one, at least the part that is shown; undefined if it is no text. */
function fileText({ mime_type, text, content_base64 }: PlanAttachment): string | undefined {
  if (text !== undefined || content_base64 === undefined || !isTextType(mime_type)) return text;
  const bytes = Buffer.from(content_base64.slice(0, maxDigits), 'base64');
  return utf8Text(bytes, { isWhole: content_base64.length <= maxDigits });
}

function attachmentPart(file: PlanAttachment): UserPart {
  const { name, mime_type, content_base64 } = file;
  const text = fileText(file);
  if (text !== undefined) {
    const shown = cutText(text, MAX_RESULT_LENGTH);
    return { type: 'text', text: `[${name}]\n${shown}${shown === text ? '' : '… (the rest is not shown)'}` };
  }
  if (content_base64 !== undefined && sentTypes.test(mime_type))
    return { type: 'file', data: content_base64, mediaType: mime_type, filename: name };
  return { type: 'text', text: `[attachment ${name}, ${mime_type}]` };
}

function conversationMessage(message: PlanMessage): ModelMessage[] {
  const { role, content, attachments = [] } = message;
  if (role === 'system') return [];
  if (role === 'assistant') return isBlank(content) ? [] : [{ role, content }];
  const text = role === 'tool' ? `[result of an earlier tool call]\n${content}` : content;
  if (attachments.length === 0) return [{ role: 'user', content: isBlank(text) ? '(no text)' : text }];
  const said: UserPart[] = isBlank(text) ? [] : [{ type: 'text', text }];
  return [{ role: 'user', content: [...said, ...attachments.map(attachmentPart)] }];
}

/** The conversation of a run as a model sees it: the thread, memory, the request, and every step with its results. */
export function composeMessages(context: PlanContext, names: ToolNames): ModelMessage[] {
  const { messages, turn_start, steps } = context;
  const outputOf = showResults(steps);
  return [
    ...messages.slice(0, turn_start).flatMap(conversationMessage),
    ...memoryMessages(context),
    ...messages.slice(turn_start).flatMap(conversationMessage),
    ...steps.flatMap((step, number) => stepMessages({ step, number, names, outputOf })),
  ];
}
