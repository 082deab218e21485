/** A JSON object read from the wire or given by a caller. Nothing is known about its values. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is an object with fields: not an array, not null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object with fields. */
export function readRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** The value when it is an object with at least one field. */
export function readFilledRecord(value: unknown): JsonRecord | undefined {
  if (!isRecord(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

/** The trimmed text. A blank text and any other type count as absent. */
export function readCleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

/** The text as names are compared: trimmed and lower-cased. A blank text and any other type count as absent. */
export function readKey(value: unknown): string | undefined {
  return readCleanText(value)?.toLowerCase();
}

/** The text as it is. The empty text and any other type count as absent. */
export function readStreamText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value when it is a whole number. */
export function readInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** The value when it is a number that JSON can carry. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value when it is a list. */
export function readList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The flat field when the key exists at all, be it null, and otherwise the nested one. */
export function readOwnOr(flat: JsonRecord, key: string, nested: JsonRecord | undefined): unknown {
  return Object.hasOwn(flat, key) ? flat[key] : nested?.[key];
}
