import { inspect } from 'node:util';
import { redactTexts, type PIIWhitelist, type TextRedaction } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { HumanMessage, RedactedMessage, type Message, type MessageContent } from '../messages/message.js';
import type { PrivateData } from '../messages/private-data.js';
import { createPrivateDataMap, listPrivateValues, type PrivateDataMap } from './private-data-map.js';

/** What redaction starts from. */
export interface RedactionInput {
  /** Private values that are known by name already. */
  readonly privateData: PrivateDataMap;
  /** More values that are personal for certain. */
  readonly knownPiiValues?: readonly (string | PrivateData)[];
  /** Exceptions for messages that bring none of their own. */
  readonly piiWhitelist?: PIIWhitelist | undefined;
}

/** Messages with placeholders in place of personal data, and the values of the new names. */
export interface RedactedMessages {
  readonly messages: readonly Message[];
  /** Printing it shows the names only. */
  readonly addedPrivateData: PrivateDataMap;
}

/** Redacts every `RedactedMessage`; the same value gets the same name in all of them. Nothing leaves the process. */
export function redactMessages(messages: readonly Message[], input: RedactionInput): RedactedMessages {
  let added: Record<string, unknown> = {};
  const redacted = messages.map((message) => {
    if (!(message instanceof RedactedMessage)) return message;
    const known = { ...bareValues(input.privateData), ...added };
    const { content, redaction } = redactMessage(message, { ...input, known });
    added = { ...added, ...redaction.addedPrivateData };
    return new HumanMessage(content, {
      ...(message.id === undefined ? {} : { id: message.id }),
      ...(message.name === undefined ? {} : { name: message.name }),
      attachments: message.attachments.map(({ contentBase64, ...rest }) => ({
        ...rest,
        base64: contentBase64,
      })),
    });
  });
  return { messages: redacted, addedPrivateData: createPrivateDataMap(added) };
}

/** What redaction would make of one message. */
export interface RedactionPreview {
  readonly message: HumanMessage;
  /** The names of the placeholders, in the order they first stand in the message. */
  readonly insertedKeys: readonly string[];
  /** The values of the new names. Printing it shows the names only. */
  readonly addedPrivateData: PrivateDataMap;
  /** Those and the scope's. Printing it shows the names only. */
  readonly mergedPrivateData: PrivateDataMap;
  readonly redactedMessageCount: number;
  readonly redactedValueCount: number;
  /** Printing it, or the next one, shows how many they are only. */
  readonly matchedKnownPiiValues: readonly string[];
  readonly unmatchedKnownPiiValues: readonly string[];
}

/** Shows what redaction makes of a message, in this process and without any effect. */
export function previewRedaction(message: RedactedMessage, input: RedactionInput): RedactionPreview {
  if (!(message instanceof RedactedMessage)) {
    throw new ConfigurationError(
      "previewRedaction takes a RedactedMessage, such as new RedactedMessage('...').",
      { code: 'CONFIG_INVALID_MESSAGES' },
    );
  }
  const known = bareValues(input.privateData);
  const { content, redaction } = redactMessage(message, { ...input, known });
  return {
    message: new HumanMessage(content),
    insertedKeys: redaction.insertedKeys,
    addedPrivateData: createPrivateDataMap(redaction.addedPrivateData),
    mergedPrivateData: createPrivateDataMap({ ...input.privateData, ...redaction.addedPrivateData }),
    redactedMessageCount: redaction.redactedTextCount > 0 ? 1 : 0,
    redactedValueCount: redaction.redactedValueCount,
    matchedKnownPiiValues: hidden(redaction.matchedKnownValues),
    unmatchedKnownPiiValues: hidden(redaction.unmatchedKnownValues),
  };
}

/** A list that does not show its values when it is printed or serialized. */
function hidden(values: readonly string[]): readonly string[] {
  const list = [...values];
  Object.defineProperty(list, inspect.custom, { value: () => `[ ${list.length} hidden ]` });
  Object.defineProperty(list, 'toJSON', { value: () => list.map(() => '[hidden]') });
  return list;
}

function redactMessage(
  message: RedactedMessage,
  input: RedactionInput & { known: Readonly<Record<string, unknown>> },
): { content: MessageContent; redaction: TextRedaction } {
  const whitelist = message.piiWhitelist ?? input.piiWhitelist;
  const redaction = redactTexts(textsOf(message.content), {
    knownValues: [...(input.knownPiiValues ?? []), ...message.knownPiiValues].map(readKnown),
    privateData: input.known,
    ...(whitelist ? { whitelist } : {}),
  });
  return { content: withTexts(message.content, redaction.texts), redaction };
}

function readKnown(known: string | PrivateData): string | { value: string; name?: string; piiType?: string } {
  if (typeof known === 'string') return known;
  const { value, name, piiType } = known;
  return {
    value: String(value ?? ''),
    ...(name === undefined ? {} : { name }),
    ...(piiType === undefined ? {} : { piiType }),
  };
}

function bareValues(map: PrivateDataMap): Record<string, unknown> {
  return Object.fromEntries(listPrivateValues(map).map(({ name, value }) => [name, value]));
}

/** The texts of a content, in order; blocks without a text have none. */
function textsOf(content: MessageContent): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    const text = typeof part === 'string' ? part : part['text'];
    return typeof text === 'string' ? [text] : [];
  });
}

function withTexts(content: MessageContent, texts: readonly string[]): MessageContent {
  if (typeof content === 'string') return texts[0] ?? '';
  const next = texts.values();
  return content.map((part) => {
    if (typeof part === 'string') return next.next().value ?? '';
    return typeof part['text'] === 'string' ? { ...part, text: next.next().value ?? '' } : part;
  });
}
