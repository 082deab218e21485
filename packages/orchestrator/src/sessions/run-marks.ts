import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject } from '../planning/json-object.js';

/** What the session manager notes in the request of a run that it stores. */
const marks: ReadonlySet<string> = new Set([
  'redaction_summary',
  'private_values_sent',
  'trace_parent',
  'memory_home',
]);

/** A request as its client sent it, but for private values. */
export function withoutMarks(request: JsonValue): JsonObject {
  const fields = isJsonObject(request) ? Object.entries(request) : [];
  return Object.fromEntries(fields.filter(([name]) => !marks.has(name)));
}
