import type { ValueMatcher } from '@svc/redaction';
import { readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { Draft, EnrichmentScope } from './draft.js';
import { isIdentified } from './identify.js';

/** The fields that the identity stage stores unchanged. Of all others it stores fingerprints. */
const fields = ['id', 'tool_id', 'assignment_id', 'target_id', 'agent_name', 'swarm_name'];

/**
 * Returns the draft without private values in the fields that its turn remembers, so that a bridge that may not store them
 * remembers the same as a writer that takes over its session.
 */
export function withSafeIdentity(draft: Draft, matcher: ValueMatcher): Draft {
  const { type, payload, scope } = draft;
  if (!isIdentified(type)) return draft;
  scrubFields(payload, matcher);
  for (const name of ['hook', 'tool']) {
    const descriptor = readRecord(payload[name]);
    if (descriptor !== undefined) payload[name] = scrubFields({ ...descriptor }, matcher);
  }
  return scope === undefined ? draft : { ...draft, scope: safeScope(scope, matcher) };
}

function scrubFields(record: JsonRecord, matcher: ValueMatcher): JsonRecord {
  for (const field of fields) {
    const value = record[field];
    if (typeof value === 'string') record[field] = matcher.scrub(value);
  }
  return record;
}

function safeScope({ id, name, type }: EnrichmentScope, matcher: ValueMatcher): EnrichmentScope {
  const safe = (text: string | null | undefined) => matcher.scrub(text) as typeof text;
  return { id: safe(id), name: safe(name), type: safe(type) };
}
