import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject } from '../../json-object.js';

const names = ['redaction_summary', 'private_values_sent', 'trace_parent', 'memory_home'] as const;
const marks: ReadonlySet<string> = new Set(names);

/** What the session manager adds to the request of a run before storing it. */
export type RunMarks = Readonly<Record<(typeof names)[number], unknown>>;

/** A request as its client sent it, except for private values. */
export function withoutMarks(request: JsonValue): JsonObject {
  const fields = isJsonObject(request) ? Object.entries(request) : [];
  return Object.fromEntries(fields.filter(([name]) => !marks.has(name)));
}
