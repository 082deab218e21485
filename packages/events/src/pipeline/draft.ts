import type { JsonRecord } from '../payloads/read-field.js';

/** An event on its way into the log. */
export interface Draft {
  /** The event name; of the contract's names always the canonical spelling. */
  readonly type: string;
  /** The payload: ours, so that the stages may change its own fields and descriptors, but nothing deeper. */
  readonly payload: JsonRecord;
  /** The scope as it was given, of enrichments: the payload keeps only scope types of the contract. */
  readonly scope?: EnrichmentScope;
}

/** What an enrichment says of its scope. */
export interface EnrichmentScope {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly type?: string | null | undefined;
}
