import { Buffer, isUtf8 } from 'node:buffer';
import { inspect } from 'node:util';
import {
  createTextRedactor,
  resolvePlaceholders,
  type PIIWhitelist,
  type TextRedaction,
  type TextRedactor,
} from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import type { Attachment, AttachmentInput } from '../messages/attachment.js';
import { HumanMessage, RedactedMessage, type Message, type MessageContent } from '../messages/message.js';
import { bareValue, type PrivateData } from '../messages/private-data.js';
import { KnownNumber } from './known-number.js';
import { createPrivateDataMap, listPrivateValues, type PrivateDataMap } from './private-data-map.js';

/** The input of redaction. */
export interface RedactionInput {
  /** Private values with known names. */
  readonly privateData: PrivateDataMap;
  /** Additional values known to be personal. */
  readonly knownPiiValues?: readonly (string | PrivateData)[];
  /** Exceptions for messages without their own. */
  readonly piiWhitelist?: PIIWhitelist | undefined;
}

/** The input for redacting the messages of a run. */
export interface RunRedactionInput extends Omit<RedactionInput, 'knownPiiValues'> {
  /** Values of redacted messages from earlier turns, by name. */
  readonly earlierValues?: PrivateDataMap;
  /** The number after which new names are counted. @default 0 */
  readonly countAfter?: number;
}

/** Messages with placeholders in place of personal data, and the values of the placeholders. */
export interface RedactedMessages {
  readonly messages: readonly Message[];
  /** The values, including those of earlier turns whose names were not reused. Printing it shows only the names. */
  readonly redactedValues: PrivateDataMap;
}

/** Redacts every `RedactedMessage`; a value gets the same name in all of them. Nothing leaves the process. */
export function redactMessages(
  messages: readonly Message[],
  { earlierValues = {}, countAfter: first = 0, ...input }: RunRedactionInput,
): RedactedMessages {
  const known = messages.flatMap((each) => (each instanceof RedactedMessage ? each.knownPiiValues : []));
  const earlier = withoutNames(earlierValues, [...Object.keys(input.privateData), ...known.map(nameOf)]);
  // A value with an explicit name gets that one.
  const named = new Set(known.filter(nameOf).map((each) => String(bareValue(each))));
  const unnamed = Object.entries(textsOf(earlier)).filter(([, text]) => !named.has(text));
  const redactor = createTextRedactor({ ...bareValues(input.privateData), ...Object.fromEntries(unnamed) });
  const names = new Set([...Object.keys(input.privateData), ...Object.keys(earlier)]);
  const added = new Map<string, string>();
  let countAfter = first;
  const redacted = messages.map((message) => {
    countAfter = Math.max(countAfter, highestNumber(message, names));
    if (!(message instanceof RedactedMessage)) return message;
    const { redacted: replaced, redaction } = redactMessage(message, { ...input, redactor, countAfter });
    for (const [name, value] of Object.entries(redaction.addedPrivateData)) {
      names.add(name);
      added.set(name, value);
    }
    return replaced;
  });
  const values = { ...earlier, ...withNumbers(Object.fromEntries(added), known) };
  return { messages: redacted, redactedValues: createPrivateDataMap(values) };
}

function withoutNames(values: PrivateDataMap, names: readonly unknown[]): PrivateDataMap {
  const overruled = new Set(names);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !overruled.has(name)));
}

function nameOf(known: string | PrivateData): string | undefined {
  return typeof known === 'string' ? undefined : known.name;
}

function textsOf(values: PrivateDataMap): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(bareValue(value))]));
}

const NUMBERED = /^pii_.*_(\d{1,9})$/;

/** Returns the highest number among unknown placeholders in a message, which an earlier run left there. */
function highestNumber({ content }: Message, known: ReadonlySet<string>): number {
  let highest = 0;
  resolvePlaceholders(content, (name) => {
    if (!known.has(name)) highest = Math.max(highest, Number(NUMBERED.exec(name)?.[1] ?? 0));
    return undefined;
  });
  return highest;
}

/** Turns texts of known numbers back into numbers: a tool that expects a number refuses its text. */
function withNumbers(
  texts: Readonly<Record<string, unknown>>,
  known: readonly (string | PrivateData)[],
): Record<string, unknown> {
  const numbers = new Map<unknown, number>();
  for (const value of known.map(bareValue)) if (typeof value === 'number') numbers.set(String(value), value);
  const restore = (text: unknown) => {
    const value = numbers.get(text);
    return value === undefined ? text : new KnownNumber({ value });
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, restore(text)]));
}

/** The result of previewing the redaction of a message. */
export interface RedactionPreview {
  /** The message that would be sent. */
  readonly message: HumanMessage;
  /** The names of the placeholders, in the order in which they first occur in the message. */
  readonly insertedKeys: readonly string[];
  /** The values of the new names. Printing it shows only the names. */
  readonly addedPrivateData: PrivateDataMap;
  /** The added values and those of the agent or swarm. Printing it shows only the names. */
  readonly mergedPrivateData: PrivateDataMap;
  /** 1 if anything was replaced, otherwise 0. */
  readonly redactedMessageCount: number;
  /** The number of replaced values. */
  readonly redactedValueCount: number;
  /** The known values that occur in the message. Printing it shows only their number. */
  readonly matchedKnownPiiValues: readonly string[];
  /** The known values that do not occur in the message. Printing it shows only their number. */
  readonly unmatchedKnownPiiValues: readonly string[];
}

/** Previews the redaction of a message, in this process and without side effects. */
export function previewRedaction(message: RedactedMessage, input: RedactionInput): RedactionPreview {
  if (!(message instanceof RedactedMessage)) {
    throw new ConfigurationError(
      "previewRedaction expects a RedactedMessage, such as new RedactedMessage('...').",
      { code: 'CONFIG_INVALID_MESSAGES' },
    );
  }
  const redactor = createTextRedactor(bareValues(input.privateData));
  const { redacted, redaction } = redactMessage(message, { ...input, redactor });
  const allKnown = [...(input.knownPiiValues ?? []), ...message.knownPiiValues];
  const added = bareValues(withNumbers(redaction.addedPrivateData, allKnown));
  return {
    message: redacted,
    insertedKeys: redaction.insertedKeys,
    addedPrivateData: createPrivateDataMap(added),
    mergedPrivateData: createPrivateDataMap({ ...input.privateData, ...added }),
    redactedMessageCount: redaction.redactedTextCount > 0 ? 1 : 0,
    redactedValueCount: redaction.redactedValueCount,
    matchedKnownPiiValues: hidden(redaction.matchedKnownValues),
    unmatchedKnownPiiValues: hidden(redaction.unmatchedKnownValues),
  };
}

/** Returns a list that does not reveal its values when it is printed or serialized. */
function hidden(values: readonly string[]): readonly string[] {
  const list = [...values];
  Object.defineProperty(list, inspect.custom, { value: () => `[ ${list.length} hidden ]` });
  Object.defineProperty(list, 'toJSON', { value: () => list.map(() => '[hidden]') });
  return list;
}

/** The input for redacting one message; the redactor has the known names. */
interface MessageRedactionInput extends Pick<RedactionInput, 'knownPiiValues' | 'piiWhitelist'> {
  readonly redactor: TextRedactor;
  readonly countAfter?: number;
}

function redactMessage(
  message: RedactedMessage,
  { redactor, countAfter = 0, ...input }: MessageRedactionInput,
): { redacted: HumanMessage; redaction: TextRedaction } {
  const whitelist = message.piiWhitelist ?? input.piiWhitelist;
  const texts: string[] = [];
  mapTexts(message, (text) => {
    texts.push(text);
    return text;
  });
  const redaction = redactor.redact(texts, {
    knownValues: [...(input.knownPiiValues ?? []), ...message.knownPiiValues].map(readKnown),
    countAfter,
    ...(whitelist ? { whitelist } : {}),
  });
  const next = redaction.texts.values();
  return { redacted: mapTexts(message, () => next.next().value ?? ''), redaction };
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

type MapText = (text: string) => string;

/** Returns the message as a user's message, with all its texts mapped in order: content, files, speaker. */
function mapTexts({ id, name, content, attachments }: RedactedMessage, map: MapText): HumanMessage {
  const mapped = mapContent(content, map);
  const files = attachments.map((attachment) => mapAttachment(attachment, map));
  return new HumanMessage(mapped, { id, name: name === undefined ? name : map(name), attachments: files });
}

/** Maps the texts of the content; blocks without text stay unchanged. */
function mapContent(content: MessageContent, map: MapText): MessageContent {
  if (typeof content === 'string') return map(content);
  return content.map((part) => {
    if (typeof part === 'string') return map(part);
    const { text } = part;
    return typeof text === 'string' ? { ...part, text: map(text) } : part;
  });
}

/** Maps the name and description of a file, and its content if that is UTF-8 text. Its URL stays. */
function mapAttachment({ contentBase64, ...rest }: Attachment, map: MapText): AttachmentInput {
  const bytes = Buffer.from(contentBase64, 'base64');
  const { name, description } = rest;
  return {
    ...rest,
    name: map(name),
    ...(description === undefined ? {} : { description: map(description) }),
    ...(isUtf8(bytes) ? { text: map(bytes.toString()) } : { bytes }),
  };
}
