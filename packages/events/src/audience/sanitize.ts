import { isContractEventName } from '@svc/contracts';
import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { safeErrorText, safeErrorValue } from './error-text.js';
import { hidePrivateFields } from './private-fields.js';

/** The descriptors with error texts, and the fields that contain them. */
const errorFields = [
  ['tool', ['error']],
  ['assignment', ['error']],
  ['error_info', ['message', 'error']],
  ['hook', ['error']],
] as const;

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
  return type === 'error' ? withoutInternals(safe) : safe;
}

function withSafeErrors(data: JsonRecord, isContract: boolean): JsonRecord {
  let safe = isContract ? withSafeText(data, ['error']) : data;
  // A value that is not an object is an error text in place of the descriptor.
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

/** An error's details are only for developers, in any event. */
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

/** An error event shows users only its message, not the internals. */
function withoutInternals(data: JsonRecord): JsonRecord {
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

/** Empties objects and arrays, and applies the rule for error texts to strings. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [];
  if (!isRecord(value)) return typeof value === 'string' ? safeErrorText(value) : value;
  return Object.keys(value).length === 0 ? value : {};
}
