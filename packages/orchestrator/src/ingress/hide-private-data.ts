import type { KnownPiiValue, Message, PrivateDataField, SessionRequest } from '@svc/contracts/orchestrator';
import { createValueMatcher } from '@svc/redaction';
import { redactMessage } from './redact-message.js';
import { scrubRequest } from './scrub-request.js';
import type { SentValues } from './session-values.js';

/** What redaction did to a request, without any value. */
export interface RedactionSummary {
  readonly inserted_keys: readonly string[];
  readonly redacted_message_count: number;
  readonly redacted_value_count: number;
}

/**
 * A request without any private value: the values that original clients send are replaced by placeholders wherever they
 * stand in it, messages of type `redacted` are redacted. Only names are left; `values` finds the same values in what
 * the client posts later, and is for this process's memory only.
 * @throws RequestError `INVALID_WHITELIST`
 */
export function hidePrivateData(request: SessionRequest): {
  request: SessionRequest;
  summary?: RedactionSummary;
  values?: SentValues;
} {
  const { private_data, private_data_schema, pii_whitelist, ...rest } = request;
  const privateData: Record<string, unknown> = { ...private_data };
  const fields = new Map((private_data_schema ?? []).map((field) => [field.data_key, field]));
  for (const data_key of Object.keys(privateData))
    if (!fields.has(data_key)) fields.set(data_key, { data_key });
  const inserted = new Set<string>();
  let redactedMessages = 0;
  const messages = request.messages.map((message): Message => {
    if (message.type !== 'redacted') return message;
    const redacted = redactMessage(message, { privateData, whitelist: pii_whitelist ?? undefined });
    const { addedPrivateData, insertedKeys, redactedTextCount } = redacted.redaction;
    Object.assign(privateData, addedPrivateData);
    for (const key of insertedKeys) inserted.add(key);
    for (const field of describe(insertedKeys, message.known_pii_values ?? [], addedPrivateData)) {
      if (!fields.has(field.data_key)) fields.set(field.data_key, field);
    }
    if (redactedTextCount > 0) redactedMessages += 1;
    return redacted.message;
  });
  const hidden: SessionRequest = {
    ...rest,
    messages,
    ...(fields.size > 0 ? { private_data_schema: [...fields.values()] } : {}),
  };
  const matcher = createValueMatcher(Object.entries(privateData).map(([name, value]) => ({ name, value })));
  const clean = matcher.isEmpty
    ? { request: hidden }
    : {
        request: scrubRequest(hidden, matcher),
        values: { matcher, characters: JSON.stringify(privateData).length },
      };
  if (inserted.size === 0) return clean;
  const counts = { redacted_message_count: redactedMessages, redacted_value_count: inserted.size };
  return { ...clean, summary: { inserted_keys: [...inserted], ...counts } };
}

/** What is known of the values behind new names. */
function describe(
  keys: readonly string[],
  known: readonly KnownPiiValue[],
  added: Readonly<Record<string, string>>,
): PrivateDataField[] {
  return keys.map((data_key) => {
    const given = known.find((each) => typeof each !== 'string' && each.value.trim() === added[data_key]);
    const kind = /^pii_(.+)_\d+$/.exec(data_key)?.[1];
    if (!given || typeof given === 'string')
      return kind === undefined ? { data_key } : { data_key, pii_type: kind };
    const { description, label, pii_type, format } = given;
    return {
      data_key,
      ...(description ? { description } : {}),
      ...(label ? { label } : {}),
      ...(pii_type ? { pii_type } : {}),
      ...(format ? { format } : {}),
    };
  });
}
