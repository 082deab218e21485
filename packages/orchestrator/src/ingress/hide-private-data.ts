import type { KnownPiiValue, Message, PrivateDataField, SessionRequest } from '@svc/contracts/orchestrator';
import { createTextRedactor, createValueMatcher, type TextRedactor } from '@svc/redaction';
import {
  readWhitelist,
  redactMessage,
  refuseManyPatterns,
  refuseManyPrivateValues,
} from './redact-message.js';
import { scrubRequest } from './scrub-request.js';
import type { SentValues } from './session-values.js';

/** What redaction did to a request, without values. */
export interface RedactionSummary {
  readonly inserted_keys: readonly string[];
  readonly redacted_message_count: number;
  readonly redacted_value_count: number;
}

/**
 * Hides the private values of a request: the values that the original clients send are replaced by placeholders
 * wherever they occur, and messages of type `redacted` are redacted. Only names are left. `values` finds the same
 * values in what the client posts later, and must stay in this process's memory.
 * @throws RequestError `INVALID_WHITELIST` and, for too many values, `INVALID_REQUEST`
 */
export function hidePrivateData(request: SessionRequest): {
  request: SessionRequest;
  summary?: RedactionSummary;
  values?: SentValues;
} {
  const { private_data, private_data_schema, pii_whitelist, ...rest } = request;
  const privateData = new Map<string, unknown>(Object.entries(private_data ?? {}));
  refuseManyPrivateValues(private_data, request.messages.map(ownKnownValues));
  refuseManyPatterns([pii_whitelist, ...request.messages.map(ownWhitelist)]);
  const whitelist = readWhitelist(pii_whitelist);
  const fields = new Map((private_data_schema ?? []).map((field) => [field.data_key, field]));
  for (const data_key of privateData.keys()) if (!fields.has(data_key)) fields.set(data_key, { data_key });
  const inserted = new Set<string>();
  let redactedMessages = 0;
  let redactor: TextRedactor | undefined;
  const messages = request.messages.map((message): Message => {
    if (message.type !== 'redacted') return message;
    redactor ??= createTextRedactor(private_data);
    const redacted = redactMessage(message, { redactor, whitelist });
    const { addedPrivateData, insertedKeys, redactedTextCount } = redacted.redaction;
    for (const [name, value] of Object.entries(addedPrivateData)) privateData.set(name, value);
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
  const matcher = createValueMatcher(Array.from(privateData, ([name, value]) => ({ name, value })));
  const clean = matcher.isEmpty
    ? { request: hidden }
    : {
        request: scrubRequest(hidden, matcher),
        values: { matcher, characters: JSON.stringify(Object.fromEntries(privateData)).length },
      };
  if (inserted.size === 0) return clean;
  const counts = { redacted_message_count: redactedMessages, redacted_value_count: inserted.size };
  return { ...clean, summary: { inserted_keys: [...inserted], ...counts } };
}

const ownKnownValues = (message: Message) =>
  message.type === 'redacted' ? message.known_pii_values : undefined;

const ownWhitelist = (message: Message) => (message.type === 'redacted' ? message.pii_whitelist : undefined);

/** What is known about the values behind new names. */
function describe(
  keys: readonly string[],
  known: readonly KnownPiiValue[],
  added: Readonly<Record<string, string>>,
): PrivateDataField[] {
  const described = new Map(
    known
      .flatMap((each) => (typeof each === 'string' ? [] : [[each.value.trim(), each] as const]))
      .toReversed(),
  );
  return keys.map((data_key) => {
    const field = described.get(added[data_key] ?? '');
    const kind = /^pii_(.+)_\d+$/.exec(data_key)?.[1];
    if (field === undefined) return kind === undefined ? { data_key } : { data_key, pii_type: kind };
    const { description, label, pii_type, format } = field;
    return {
      data_key,
      ...(description ? { description } : {}),
      ...(label ? { label } : {}),
      ...(pii_type ? { pii_type } : {}),
      ...(format ? { format } : {}),
    };
  });
}
