/** The messages that a run starts from. */
export type { Attachment, AttachmentInput } from './messages/attachment.js';
export {
  AIMessage,
  HumanMessage,
  RedactedMessage,
  SystemMessage,
  type HumanMessageOptions,
  type Message,
  type MessageContent,
  type MessageOptions,
  type MessagesInput,
  type RedactedMessageOptions,
} from './messages/message.js';
export { PrivateData, type PrivateDataInput } from './messages/private-data.js';
