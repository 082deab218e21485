import { inspect } from 'node:util';
import type { PIIWhitelist } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { parseAttachment, type Attachment, type AttachmentInput } from './attachment.js';
import type { PrivateData } from './private-data.js';

/** Text, or blocks such as `{type: 'text', text: '...'}`. */
export type MessageContent = string | readonly (string | Readonly<Record<string, unknown>>)[];

/** What any message may carry besides its content. */
export interface MessageOptions {
  id?: string;
  /** Who speaks. */
  name?: string;
}

/** What a user's message may carry besides its content. */
export interface HumanMessageOptions extends MessageOptions {
  attachments?: readonly AttachmentInput[];
}

/** What a message to be redacted may carry besides its content. */
export interface RedactedMessageOptions extends HumanMessageOptions {
  /** Values that are personal for certain; they are replaced wherever they stand. */
  knownPiiValues?: readonly (string | PrivateData)[];
  /** Justified exceptions; they replace the run's own. */
  piiWhitelist?: PIIWhitelist;
}

/** What the user said. */
export class HumanMessage {
  readonly type = 'human';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly attachments: readonly Attachment[];

  constructor(content: MessageContent, options: HumanMessageOptions = {}) {
    this.content = parseContent(content);
    this.id = options.id;
    this.name = options.name;
    this.attachments = (options.attachments ?? []).map(parseAttachment);
  }
}

/** What the assistant said in an earlier turn. */
export class AIMessage {
  readonly type = 'ai';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, options: MessageOptions = {}) {
    this.content = parseContent(content);
    this.id = options.id;
    this.name = options.name;
  }
}

/** Instructions to the planner. With one in the list, the scope's own system prompt is not added. */
export class SystemMessage {
  readonly type = 'system';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, options: MessageOptions = {}) {
    this.content = parseContent(content);
    this.id = options.id;
    this.name = options.name;
  }
}

/** What the user said, with personal data that is replaced by placeholders in this process, before anything is sent. */
export class RedactedMessage {
  readonly type = 'redacted';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly knownPiiValues: readonly (string | PrivateData)[];
  readonly piiWhitelist: PIIWhitelist | undefined;

  constructor(content: MessageContent, options: RedactedMessageOptions = {}) {
    this.content = parseContent(content);
    this.id = options.id;
    this.name = options.name;
    this.attachments = (options.attachments ?? []).map(parseAttachment);
    this.knownPiiValues = options.knownPiiValues ?? [];
    this.piiWhitelist = options.piiWhitelist;
  }

  /** Printing it shows no content, because that is still in clear here. */
  [inspect.custom](): string {
    return 'RedactedMessage { content: [hidden] }';
  }

  /** Serializing it shows no content, because that is still in clear here. */
  toJSON(): Record<string, unknown> {
    return { type: this.type, content: '[hidden]' };
  }
}

/** One message of a conversation. */
export type Message = HumanMessage | AIMessage | SystemMessage | RedactedMessage;

/** What a run can be started with: a list of messages, one message, or the user's text. */
export type MessagesInput = string | Message | readonly Message[];

/** The input as a list. An empty one is an error: there is nothing to work on. */
export function parseMessages(input: MessagesInput): readonly Message[] {
  const messages = typeof input === 'string' ? [new HumanMessage(input)] : isOne(input) ? [input] : input;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    throw new ConfigurationError(
      'A run needs a text, a message, or a list of at least one message (HumanMessage, AIMessage, SystemMessage or RedactedMessage).',
      { code: 'CONFIG_INVALID_MESSAGES' },
    );
  }
  return messages;
}

function isOne(input: Message | readonly Message[]): input is Message {
  return !Array.isArray(input);
}

function isMessage(value: unknown): value is Message {
  return (
    value instanceof HumanMessage ||
    value instanceof RedactedMessage ||
    value instanceof AIMessage ||
    value instanceof SystemMessage
  );
}

function parseContent(content: MessageContent): MessageContent {
  if (typeof content === 'string' || Array.isArray(content)) return content;
  throw new ConfigurationError(`A message's content is a text or a list of blocks, not ${typeof content}.`, {
    code: 'CONFIG_INVALID_MESSAGES',
  });
}
