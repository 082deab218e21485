import { isContractEventName } from '@svc/contracts';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { safeErrorText, safeErrorValue } from './error-text.js';
import { hidePrivateFields } from './private-fields.js';

/** The descriptors with error texts, besides `error_info`. */
const errorDescriptors = ['tool', 'assignment', 'hook'] as const;

/** The fields of a descriptor that contain an error text. */
const errorTexts: ReadonlySet<string> = new Set(['error', 'message']);

/** The fields of an error event that users may see; any other may reveal internal details. */
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
 * Hides raw redaction details, injected values and internal error details from an event's data, for `frontend_safe`
 * readers; private values in strings are not replaced here. Returns the same object if there is nothing to hide; never
 * changes its input. Idempotent.
 */
export function sanitizeData(type: string, data: JsonRecord): JsonRecord {
  const hidden = hidePrivateFields(data);
  const safe = withSafeErrors(hidden, isContractEventName(type));
  if (type !== 'error') return safe;
  return mapFields(safe, (key, value) => (shownFieldsOfError.has(key) ? value : emptied(value)));
}

function withSafeErrors(data: JsonRecord, isContract: boolean): JsonRecord {
  let safe = isContract ? withSafeText(data, ['error']) : data;
  // In an application's own event, a `message` there need not be about an error.
  const makeSafe = isContract ? withSafeTexts : withSafeError;
  for (const name of errorDescriptors) safe = withDescriptor(safe, name, makeSafe);
  // A value that is not an object is an error text in place of the descriptor.
  if (!isRecord(safe.error_info)) return withSafeText(safe, ['error_info']);
  return withDescriptor(safe, 'error_info', withoutInternals);
}

function withDescriptor(
  data: JsonRecord,
  name: string,
  makeSafe: (descriptor: JsonRecord) => JsonRecord,
): JsonRecord {
  const descriptor = data[name];
  if (!isRecord(descriptor)) return data;
  const safe = makeSafe(descriptor);
  return safe === descriptor ? data : { ...data, [name]: safe };
}

const withSafeError = (descriptor: JsonRecord) => withSafeText(descriptor, ['error']);
const withSafeTexts = (descriptor: JsonRecord) => withSafeText(descriptor, errorTexts);

function withSafeText(record: JsonRecord, fields: Iterable<string>): JsonRecord {
  let safe = record;
  for (const field of fields) {
    const value = record[field];
    const safeValue = safeErrorValue(value);
    if (safeValue !== value) safe = { ...safe, [field]: safeValue };
  }
  return safe;
}

/** Users see only the texts of an error, in any event: whatever else it carries is for developers. */
function withoutInternals(info: JsonRecord): JsonRecord {
  return mapFields(info, (key, value) => (errorTexts.has(key) ? safeErrorValue(value) : emptied(value)));
}

function mapFields(record: JsonRecord, map: (key: string, value: unknown) => unknown): JsonRecord {
  let mapped: JsonRecord | undefined;
  for (const key of Object.keys(record)) {
    const value = map(key, record[key]);
    if (value !== record[key]) (mapped ??= { ...record })[key] = value;
  }
  return mapped ?? record;
}

/** Empties objects and arrays, and applies the rule for error texts to strings. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [];
  if (!isRecord(value)) return typeof value === 'string' ? safeErrorText(value) : value;
  return Object.keys(value).length === 0 ? value : {};
}
