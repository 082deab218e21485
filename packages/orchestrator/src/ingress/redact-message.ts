import type { KnownPiiValue, PiiWhitelistRecord, RedactedMessageRecord } from '@svc/contracts/orchestrator';
import { PIIWhitelist, RedactionError, type TextRedaction, type TextRedactor } from '@svc/redaction';
import { RequestError } from '../errors.js';

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
  const texts = textsOf(rest.content);
  const rules = { knownValues: known, ...(whitelist && { whitelist }) };
  const redaction = reportingInvalidWhitelist(() => redactor.redact(texts, rules));
  return { message: { ...rest, content: withTexts(rest.content, redaction.texts) }, redaction };
}

/** @throws RequestError `INVALID_WHITELIST` */
export function readWhitelist(record: PiiWhitelistRecord | null | undefined): PIIWhitelist | undefined {
  return record ? reportingInvalidWhitelist(() => PIIWhitelist.fromData(record)) : undefined;
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

type Content = RedactedMessageRecord['content'];

function textsOf(content: Content): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return typeof part['text'] === 'string' ? [part['text']] : [];
  });
}

/** Puts texts back where they came from. */
function withTexts(content: Content, texts: readonly string[]): Content {
  if (typeof content === 'string') return texts[0] ?? content;
  const next = texts.values();
  return content.map((part) => {
    if (typeof part === 'string') return next.next().value ?? part;
    return typeof part['text'] === 'string' ? { ...part, text: next.next().value ?? part['text'] } : part;
  });
}
