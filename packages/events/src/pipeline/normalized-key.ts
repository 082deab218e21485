import { readCleanText } from '../payloads/read-field.js';

/** A text as names are compared: trimmed and lower-cased. A blank text and any other type count as absent. */
export function normalizedKey(value: unknown): string | undefined {
  return readCleanText(value)?.toLowerCase();
}
