import { isContractEventName } from '@svc/contracts';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { safeErrorText, safeErrorValue } from './error-text.js';
import { hidePrivateFields } from './private-fields.js';

/** The descriptors that carry the text of an error, and under which names. */
const errorFields = [
  ['tool', ['error']],
  ['assignment', ['error']],
  ['error_info', ['message', 'error']],
  ['hook', ['error']],
] as const;

/** The fields of an error event that users are shown; any other may tell of the system's inside. */
const shownFieldsOfError: ReadonlySet<string> = new Set([
  'contract_version',
  'event_name',
  'event_kind',
  'scope',
  'participant',
  'lifecycle',
  'session',
  'error',
  'error_info',
]);

/**
 * What a `frontend_safe` reader may see of an event's data, but for private values that stand in texts: raw redaction
 * details, injected values and internal error details are hidden. Answers the very same data when there is nothing to
 * hide; never changes what it is given. Doing it twice changes nothing more.
 */
export function sanitizeData(type: string, data: JsonRecord): JsonRecord {
  const hidden = hidePrivateFields(data);
  const safe = withSafeErrors(hidden, isContractEventName(type));
  return type === 'error' ? withoutInside(safe) : safe;
}

function withSafeErrors(data: JsonRecord, isContract: boolean): JsonRecord {
  let safe = isContract ? withSafeText(data, ['error']) : data;
  // One that is no object is a text of an error in the place of its descriptor.
  if (!isRecord(safe.error_info)) safe = withSafeText(safe, ['error_info']);
  for (const [name, fields] of errorFields) {
    const descriptor = safe[name];
    if (!isRecord(descriptor)) continue;
    const safeText = withSafeText(descriptor, fields);
    const safeDescriptor = name === 'error_info' ? withoutDetails(safeText) : safeText;
    if (safeDescriptor !== descriptor) safe = { ...safe, [name]: safeDescriptor };
  }
  return safe;
}

/** The details of an error are for developers, whatever event they come with. */
function withoutDetails(info: JsonRecord): JsonRecord {
  const details = emptied(info.details);
  return details === info.details ? info : { ...info, details };
}

function withSafeText(record: JsonRecord, fields: readonly string[]): JsonRecord {
  let safe = record;
  for (const field of fields) {
    const value = record[field];
    const safeValue = safeErrorValue(value);
    if (safeValue !== value) safe = { ...safe, [field]: safeValue };
  }
  return safe;
}

/** An error event tells users its message and nothing of what lies behind. */
function withoutInside(data: JsonRecord): JsonRecord {
  const safe = mapFields(data, (key, value) => (shownFieldsOfError.has(key) ? value : emptied(value)));
  const info = safe.error_info;
  if (!isRecord(info)) return safe;
  const safeInfo = mapFields(info, (key, value) => (key === 'message' ? value : emptied(value)));
  return safeInfo === info ? safe : { ...safe, error_info: safeInfo };
}

function mapFields(record: JsonRecord, map: (key: string, value: unknown) => unknown): JsonRecord {
  let mapped: JsonRecord | undefined;
  for (const key of Object.keys(record)) {
    const value = map(key, record[key]);
    if (value !== record[key]) (mapped ??= { ...record })[key] = value;
  }
  return mapped ?? record;
}

/** What is left of a field: texts by the rule for error texts, of objects and lists that there is one. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [];
  if (!isRecord(value)) return typeof value === 'string' ? safeErrorText(value) : value;
  return Object.keys(value).length === 0 ? value : {};
}
