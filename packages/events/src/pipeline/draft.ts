import { isRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';

/** An event on its way into the log. */
export interface Draft {
  /** The event name; of the contract's names always the canonical spelling. */
  readonly type: string;
  /** The payload: ours, so that the stages may change its own fields and descriptors, but nothing deeper. */
  readonly payload: JsonRecord;
  /** The scope as it was given, of enrichments: the payload keeps only scope types of the contract. */
  readonly scope?: EnrichmentScope;
  /** Why there is no payload: what was given threw when it was read. */
  readonly failure?: Error;
}

/** What an enrichment says of its scope. */
export interface EnrichmentScope {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly type?: string | null | undefined;
}

/**
 * Makes a draft of what a caller gave; of data that throws when it is read, one that says so.
 *
 * @throws TypeError when it is no object: that is the caller's mistake and no data.
 */
export function draftOf<From>(type: string, from: From, build: (from: From) => Draft): Draft {
  if (!isRecord(from))
    throw new TypeError(`${type} is emitted with one object of fields, not ${describeType(from)}`);
  try {
    return build(from);
  } catch (error) {
    return { type, payload: {}, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** What a value is that should have been something else, for an error. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
