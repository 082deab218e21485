import type { JsonObject } from '@svc/contracts';
import type { KnownPiiValue, PiiWhitelistRecord, RedactedMessageRecord } from '@svc/contracts/orchestrator';
import { PIIWhitelist, RedactionError, type TextRedaction, type TextRedactor } from '@svc/redaction';
import { RequestError } from '../errors.js';
import { utf8Text } from '../file-text.js';
import { isJsonObject } from '../json-object.js';
import { valuesLeft } from '../json-values.js';

/** What decides a redaction, besides the message. */
export interface RedactMessageOptions {
  /** Knows the values that already have names. */
  readonly redactor: TextRedactor;
  readonly knownValues?: readonly KnownPiiValue[];
  /** The whitelist for a message without its own. */
  readonly whitelist?: PIIWhitelist | undefined;
}

/**
 * A message with placeholders in place of personal data, without the values it brought along, plus what was done.
 * @throws RequestError `INVALID_WHITELIST`
 */
export function redactMessage(
  message: RedactedMessageRecord,
  { redactor, knownValues = [], whitelist: defaultWhitelist }: RedactMessageOptions,
): { message: RedactedMessageRecord; redaction: TextRedaction } {
  const { known_pii_values, pii_whitelist, ...rest } = message;
  const whitelist = readWhitelist(pii_whitelist) ?? defaultWhitelist;
  const known = [...(known_pii_values ?? []), ...knownValues].map((each) =>
    typeof each === 'string'
      ? each
      : { value: each.value, name: each.name ?? null, piiType: each.pii_type ?? null },
  );
  const texts: string[] = [];
  mapTexts(rest, (text) => {
    texts.push(text);
    return text;
  });
  const rules = { knownValues: known, ...(whitelist && { whitelist }) };
  const redaction = reportingInvalidWhitelist(() => redactor.redact(texts, rules));
  const next = redaction.texts.values();
  return { message: mapTexts(rest, (text) => next.next().value ?? text), redaction };
}

/** @throws RequestError `INVALID_WHITELIST` */
export function readWhitelist(record: PiiWhitelistRecord | null | undefined): PIIWhitelist | undefined {
  return record ? reportingInvalidWhitelist(() => PIIWhitelist.fromData(record)) : undefined;
}

/** The most characters of all patterns in a request: compiling so many takes up to a second. */
const maxPatternLength = 16_384;

/** Refuses more patterns than can be compiled at once. @throws RequestError `INVALID_WHITELIST` */
export function refuseManyPatterns(whitelists: readonly (PiiWhitelistRecord | null | undefined)[]): void {
  const entries = whitelists.flatMap((each) => each?.entries ?? []);
  const length = entries.reduce((sum, { pattern }) => sum + (pattern?.length ?? 0), 0);
  if (length <= maxPatternLength) return;
  throw new RequestError(
    `The whitelist patterns of a request must have at most ${maxPatternLength} characters together, got ${length}. Use values instead of patterns.`,
    { code: 'INVALID_WHITELIST', details: { problem: 'WHITELIST_TOO_COSTLY' } },
  );
}

/** The most private and known values of a request: compiling so many takes up to half a second. */
const maxPrivateValues = 5000;

/** Refuses more values than can be compiled at once. @throws RequestError `INVALID_REQUEST` */
export function refuseManyPrivateValues(
  privateData: object | null | undefined,
  known: readonly (readonly KnownPiiValue[] | null | undefined)[],
): void {
  const knownCount = known.reduce((sum, values) => sum + (values?.length ?? 0), 0);
  // The object itself counts as one.
  if (valuesLeft(privateData ?? {}, maxPrivateValues + 1 - knownCount) >= 0) return;
  throw new RequestError(
    `A request must have at most ${maxPrivateValues} values in \`private_data\` and \`known_pii_values\` together.`,
    { code: 'INVALID_REQUEST', details: { limit: maxPrivateValues } },
  );
}

/** Reports what is wrong with a whitelist to its sender. */
function reportingInvalidWhitelist<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RedactionError)) throw error;
    throw new RequestError(error.message, {
      code: 'INVALID_WHITELIST',
      details: { problem: error.code },
      cause: error,
    });
  }
}

type MapText = (text: string) => string;
type Content = RedactedMessageRecord['content'];

/** Maps all texts of a message in order: its content, then its files. */
function mapTexts(message: RedactedMessageRecord, map: MapText): RedactedMessageRecord {
  const content = mapContent(message.content, map);
  const { attachments } = message.additional_kwargs;
  if (!Array.isArray(attachments)) return { ...message, content };
  const files = attachments.map((file: unknown) => (isJsonObject(file) ? mapFile(file, map) : file));
  return { ...message, content, additional_kwargs: { ...message.additional_kwargs, attachments: files } };
}

function mapContent(content: Content, map: MapText): Content {
  if (typeof content === 'string') return map(content);
  return content.map((part) => {
    if (typeof part === 'string') return map(part);
    return typeof part['text'] === 'string' ? { ...part, text: map(part['text']) } : part;
  });
}

/** How each field of a file that may contain text is mapped. */
const fileTexts = new Map<string, (value: string, map: MapText) => string>([
  ['name', (value, map) => map(value)],
  ['description', (value, map) => map(value)],
  ['text_content', (value, map) => map(value)],
  ['content_base64', mapBase64],
]);

function mapFile(file: JsonObject, map: MapText): JsonObject {
  const entries = Object.entries(file).map(([key, value]) => [
    key,
    typeof value === 'string' ? (fileTexts.get(key)?.(value, map) ?? value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Only UTF-8 is text that a reader may see. */
function mapBase64(base64: string, map: MapText): string {
  const text = utf8Text(Buffer.from(base64, 'base64'));
  if (text === undefined) return base64;
  const mapped = map(text);
  return mapped === text ? base64 : Buffer.from(mapped).toString('base64');
}
