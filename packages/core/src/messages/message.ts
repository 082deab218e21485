import { inspect } from 'node:util';
import type { PIIWhitelist } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { kindOf, parseList, parseText, refuseUnknownOptions } from '../config/options.js';
import { isArrayOf } from '../is-array-of.js';
import { isJson, NO_JSON } from '../is-json.js';
import { isRecord } from '../is-record.js';
import { parseAttachment, type Attachment, type AttachmentInput } from './attachment.js';
import type { PrivateData } from './private-data.js';
import { parseRedactionOptions, type RedactionOptions } from './redaction-options.js';

/** Text, or content blocks such as `{type: 'text', text: '...'}`. */
export type MessageContent = string | readonly (string | Readonly<Record<string, unknown>>)[];

/** Options of every message. */
export interface MessageOptions {
  /** The caller's id for the message. */
  id?: string | undefined;
  /** The name of the speaker. */
  name?: string | undefined;
}

/** Options of a user's message. */
export interface HumanMessageOptions extends MessageOptions {
  /** Files sent with the message. */
  attachments?: readonly AttachmentInput[] | undefined;
}

/** Options of a message that is redacted before it is sent. */
export interface RedactedMessageOptions extends HumanMessageOptions, RedactionOptions {}

const MESSAGE_OPTIONS = ['id', 'name'] as const satisfies (keyof MessageOptions)[];
const HUMAN_OPTIONS = [...MESSAGE_OPTIONS, 'attachments'] as const satisfies (keyof HumanMessageOptions)[];
const REDACTED_OPTIONS = [
  ...HUMAN_OPTIONS,
  'knownPiiValues',
  'piiWhitelist',
] satisfies (keyof RedactedMessageOptions)[];

/** A message from the user. */
export class HumanMessage {
  readonly type = 'human';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly attachments: readonly Attachment[];

  constructor(content: MessageContent, options?: HumanMessageOptions) {
    const { id, name } = parseCommon(options, HUMAN_OPTIONS, 'HumanMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
    this.attachments = parseList(options?.attachments, 'attachments', 'HumanMessage').map(parseAttachment);
  }
}

/** A message from the assistant, from an earlier turn. */
export class AIMessage {
  readonly type = 'ai';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, options?: MessageOptions) {
    const { id, name } = parseCommon(options, MESSAGE_OPTIONS, 'AIMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
  }
}

/** Instructions for the planner. If the list contains one, the agent's or swarm's own system prompt is not added. */
export class SystemMessage {
  readonly type = 'system';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;

  constructor(content: MessageContent, options?: MessageOptions) {
    const { id, name } = parseCommon(options, MESSAGE_OPTIONS, 'SystemMessage');
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
  }
}

/** A message from the user whose personal data is replaced by placeholders in this process, before anything is sent. */
export class RedactedMessage {
  readonly type = 'redacted';
  readonly content: MessageContent;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly knownPiiValues: readonly (string | PrivateData)[];
  readonly piiWhitelist: PIIWhitelist | undefined;

  constructor(content: MessageContent, options?: RedactedMessageOptions) {
    const owner = 'RedactedMessage';
    const { id, name } = parseCommon(options, REDACTED_OPTIONS, owner);
    const { knownPiiValues, piiWhitelist } = parseRedactionOptions(options ?? {}, owner);
    this.content = parseContent(content);
    this.id = id;
    this.name = name;
    this.attachments = parseList(options?.attachments, 'attachments', owner).map(parseAttachment);
    this.knownPiiValues = knownPiiValues;
    this.piiWhitelist = piiWhitelist;
  }

  /** Hides the content when the message is printed, because it is still in clear here. */
  [inspect.custom](): string {
    return 'RedactedMessage { content: [hidden] }';
  }

  /** Hides the content when the message is serialized, because it is still in clear here. */
  toJSON(): Record<string, unknown> {
    return { type: this.type, content: '[hidden]' };
  }
}

/** One message of a conversation. */
export type Message = HumanMessage | AIMessage | SystemMessage | RedactedMessage;

/** The input of a run: a list of messages, one message, or the user's text. */
export type MessagesInput = string | Message | readonly Message[];

/** Returns the input as a list. An empty list is an error: there is nothing to work on. */
export function parseMessages(input: MessagesInput): readonly Message[] {
  const messages =
    typeof input === 'string' ? [new HumanMessage(input)] : isSingleMessage(input) ? [input] : input;
  if (messages.length === 0 || !isArrayOf(messages, isMessage)) {
    throw new ConfigurationError(
      `The input of a run must be a string, a message, or a non-empty list of messages (HumanMessage, AIMessage, SystemMessage or RedactedMessage), got ${describeInput(input)}. A plain object is no message: use new HumanMessage(text).`,
      { code: 'CONFIG_INVALID_MESSAGES' },
    );
  }
  return messages;
}

/** What was passed instead of messages, without any of its content. */
function describeInput(input: unknown): string {
  if (!Array.isArray(input)) return kindOf(input);
  if (input.length === 0) return 'an empty list';
  const at = input.findIndex((item) => !isMessage(item));
  return `a list with ${kindOf(input[at])} at index ${at}`;
}

function isSingleMessage(input: Message | readonly Message[]): input is Message {
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

/** Parses what every message has; a typo, such as in an option that hides values, is refused. */
function parseCommon(options: MessageOptions | undefined, known: readonly string[], owner: string) {
  refuseUnknownOptions(options ?? {}, known, owner);
  return { id: parseText(options?.id, 'id', owner), name: parseText(options?.name, 'name', owner) };
}

function parseContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    throw invalidContent(`must be a string or an array of blocks, got ${kindOf(content)}`);
  if (!isArrayOf(content, isPart)) throw invalidContent('may only contain strings and objects as blocks');
  if (!isJson(content)) throw invalidContent(NO_JSON);
  return content;
}

function isPart(part: unknown): part is string | object {
  return typeof part === 'string' || isRecord(part);
}

function invalidContent(why: string): ConfigurationError {
  return new ConfigurationError(`The content of a message ${why}.`, { code: 'CONFIG_INVALID_MESSAGES' });
}
