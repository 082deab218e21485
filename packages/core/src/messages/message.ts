import { inspect } from 'node:util';
import type { PIIWhitelist } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { parseList, parseText, refuseUnknownOptions } from '../config/options.js';
import { isJson, NO_JSON } from '../is-json.js';
import { parseAttachment, type Attachment, type AttachmentInput } from './attachment.js';
import type { PrivateData } from './private-data.js';
import { parseRedactionOptions, type RedactionOptions } from './redaction-options.js';

/** Text, or blocks such as `{type: 'text', text: '...'}`. */
export type MessageContent = string | readonly (string | Readonly<Record<string, unknown>>)[];

/** What any message may carry besides its content. */
export interface MessageOptions {
  /** What the caller knows it by. */
  id?: string | undefined;
  /** Who speaks. */
  name?: string | undefined;
}

/** What a user's message may carry besides its content. */
export interface HumanMessageOptions extends MessageOptions {
  /** Files sent with it. */
  attachments?: readonly AttachmentInput[] | undefined;
}

/** What a message to be redacted may carry besides its content. */
export interface RedactedMessageOptions extends HumanMessageOptions, RedactionOptions {}

const COMMON = ['id', 'name'] as const satisfies (keyof MessageOptions)[];
const HUMAN = [...COMMON, 'attachments'] as const satisfies (keyof HumanMessageOptions)[];
const REDACTED = [...HUMAN, 'knownPiiValues', 'piiWhitelist'] satisfies (keyof RedactedMessageOptions)[];

/** What the user said. */
export class HumanMessage {
  readonly type = 'human';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly attachments: readonly Attachment[];

  constructor(content: MessageContent, given?: HumanMessageOptions) {
    const options = given ?? {};
    const { id, name } = parseCommon(options, HUMAN, 'HumanMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
    this.attachments = parseList(options.attachments, 'attachments', 'HumanMessage').map(parseAttachment);
  }
}

/** What the assistant said in an earlier turn. */
export class AIMessage {
  readonly type = 'ai';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, given?: MessageOptions) {
    const options = given ?? {};
    const { id, name } = parseCommon(options, COMMON, 'AIMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
  }
}

/** Instructions to the planner. With one in the list, the scope's own system prompt is not added. */
export class SystemMessage {
  readonly type = 'system';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, given?: MessageOptions) {
    const options = given ?? {};
    const { id, name } = parseCommon(options, COMMON, 'SystemMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
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

  constructor(content: MessageContent, given?: RedactedMessageOptions) {
    const options = given ?? {};
    const owner = 'RedactedMessage';
    const { id, name } = parseCommon(options, REDACTED, owner);
    const { knownPiiValues, piiWhitelist } = parseRedactionOptions(options, owner);
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
    this.attachments = parseList(options.attachments, 'attachments', owner).map(parseAttachment);
    this.knownPiiValues = knownPiiValues;
    this.piiWhitelist = piiWhitelist;
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

/** What every message has; a typo, as in what has to be hidden, is refused. */
function parseCommon(options: MessageOptions, known: readonly string[], owner: string) {
  refuseUnknownOptions(options, known, owner);
  return { id: parseText(options.id, 'id', owner), name: parseText(options.name, 'name', owner) };
}

function parseContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalidContent(`is a text or a list of blocks, not ${typeof content}`);
  if (!content.every(isPart)) throw invalidContent('has texts and objects as its blocks, and nothing else');
  if (!isJson(content)) throw invalidContent(NO_JSON);
  return content;
}

function isPart(part: unknown): boolean {
  return typeof part === 'string' || (typeof part === 'object' && part !== null && !Array.isArray(part));
}

function invalidContent(why: string): ConfigurationError {
  return new ConfigurationError(`A message's content ${why}.`, { code: 'CONFIG_INVALID_MESSAGES' });
}
