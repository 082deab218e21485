import type { KnownPiiValue, PiiWhitelistRecord, RedactedMessageRecord } from '@svc/contracts/orchestrator';
import { PIIWhitelist, redactTexts, RedactionError, type TextRedaction } from '@svc/redaction';
import { RequestError } from '../errors.js';

/** What besides the message decides a redaction. */
export interface RedactMessageOptions {
  /** Values that have their names already. */
  readonly privateData: Readonly<Record<string, unknown>>;
  readonly knownValues?: readonly KnownPiiValue[];
  readonly whitelist?: PiiWhitelistRecord | undefined;
}

/** A message with placeholders in place of personal data, without the values it brought along, and what was done. */
export function redactMessage(
  message: RedactedMessageRecord,
  { privateData, knownValues = [], whitelist }: RedactMessageOptions,
): { message: RedactedMessageRecord; redaction: TextRedaction } {
  const { known_pii_values, pii_whitelist, ...rest } = message;
  const allowed = pii_whitelist ?? whitelist;
  const known = [...(known_pii_values ?? []), ...knownValues].map((given) =>
    typeof given === 'string'
      ? given
      : { value: given.value, name: given.name ?? null, piiType: given.pii_type ?? null },
  );
  const texts = textsOf(rest.content);
  const redaction = redactTexts(texts, {
    knownValues: known,
    privateData,
    ...(allowed ? { whitelist: readWhitelist(allowed) } : {}),
  });
  return { message: { ...rest, content: withTexts(rest.content, redaction.texts) }, redaction };
}

function readWhitelist(whitelist: PiiWhitelistRecord): PIIWhitelist {
  try {
    return PIIWhitelist.fromData(whitelist);
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

/** Puts texts back where they were taken from. */
function withTexts(content: Content, texts: readonly string[]): Content {
  if (typeof content === 'string') return texts[0] ?? content;
  const next = texts.values();
  return content.map((part) => {
    if (typeof part === 'string') return next.next().value ?? part;
    return typeof part['text'] === 'string' ? { ...part, text: next.next().value ?? part['text'] } : part;
  });
}
