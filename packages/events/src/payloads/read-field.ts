/** A JSON object from the wire or a caller. Its values are unchecked. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is an object, but not an array or null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, but not an array. */
export function readRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the value if it is an object with at least one field. */
export function readFilledRecord(value: unknown): JsonRecord | undefined {
  if (!isRecord(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

/** Returns the trimmed string. A blank string and any other type count as absent. */
export function readCleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

/** Returns the string for comparing names, trimmed and in lower case. A blank string and any other type count as absent. */
export function readKey(value: unknown): string | undefined {
  return readCleanText(value)?.toLowerCase();
}

/** Returns the string unchanged. The empty string and any other type count as absent. */
export function readStreamText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the value if it is a whole number. */
export function readInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** Returns the value if it is a finite number. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the value if it is an array. */
export function readList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns the flat field if its key exists, even if it is null, else the nested one. */
export function readOwnOr(flat: JsonRecord, key: string, nested: JsonRecord | undefined): unknown {
  return Object.hasOwn(flat, key) ? flat[key] : nested?.[key];
}
