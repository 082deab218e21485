import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** What is left of a value that has no name to show. */
export const REDACTED = '<redacted>';

type Rule = (value: unknown) => unknown;

/** Fields about private data, at any depth, and what is left of each. */
const rules = {
  private_data_injected: namesOf,
  interrupt_data_injected: namesOf,
  added_private_data: hideValues,
  merged_private_data: hideValues,
  matched_known_pii_values: hideEntries,
  unmatched_known_pii_values: hideEntries,
} satisfies Record<string, Rule>;

const ruleByField: ReadonlyMap<string, Rule> = new Map(Object.entries(rules));

/** Hides private data inside an array or object. */
type HideInside = (value: object) => unknown;

/**
 * Applies the field rules at every depth. Returns the same object if there is nothing to hide, else a copy of the changed
 * parts; never changes its input. An object shared by a flat field and a descriptor stays shared.
 */
export function hidePrivateFields(data: JsonRecord): JsonRecord {
  const hiddenFlat = new Map<object, unknown>();
  const hideInDescriptor: HideInside = (value) => hiddenFlat.get(value) ?? hideInside(value);
  return hideFields(data, (value) => {
    const hidden = Array.isArray(value)
      ? hideInside(value)
      : hideFields(value as JsonRecord, hideInDescriptor);
    hiddenFlat.set(value, hidden);
    return hidden;
  });
}

function hideInside(value: object): unknown {
  return Array.isArray(value) ? hideInList(value) : hideFields(value as JsonRecord, hideInside);
}

function hideInList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    if (typeof item !== 'object' || item === null) continue;
    const hidden = hideInside(item);
    if (hidden !== item) (copy ??= list.slice())[i] = hidden;
  }
  return copy ?? list;
}

function hideFields(record: JsonRecord, inside: HideInside): JsonRecord {
  let copy: JsonRecord | undefined;
  // `Object.keys` is faster than `for in`, which is slow for objects of many shapes.
  const keys = Object.keys(record);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    const value = record[key];
    const rule = ruleByField.get(key);
    let hidden = value;
    if (rule !== undefined) hidden = rule(value);
    else if (typeof value === 'object' && value !== null) hidden = inside(value);
    // A spread keeps an own `__proto__` as an own key, so writing it here never changes the prototype.
    if (hidden !== value) (copy ??= { ...record })[key] = hidden;
  }
  return copy ?? record;
}

/** Only the names: an object's keys or an array's strings. Anything else becomes the name of its type. */
function namesOf(value: unknown): unknown {
  if (value === null || value === undefined) return [];
  if (isRecord(value)) return Object.keys(value);
  if (!Array.isArray(value)) return [typeLabelOf(value)];
  if (value.every((item) => typeof item === 'string')) return value;
  return value.flatMap((item) =>
    typeof item === 'string' ? [item] : isRecord(item) ? Object.keys(item) : [],
  );
}

function typeLabelOf(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return 'str';
}

function hideValues(value: unknown): unknown {
  if (value === null || value === undefined || value === REDACTED) return value;
  if (!isRecord(value)) return REDACTED;
  const entries = Object.keys(value);
  if (entries.every((key) => value[key] === REDACTED)) return value;
  const hidden = { ...value };
  for (const key of entries) hidden[key] = REDACTED;
  return hidden;
}

function hideEntries(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (!Array.isArray(value)) return [REDACTED];
  return value.every((item) => item === REDACTED) ? value : value.map(() => REDACTED);
}
