import { remember } from '../bounded-map.js';
import { deriveScopeId } from '../payloads/derived-id.js';
import { readCleanText, readKey } from '../payloads/read-field.js';
import type { EnrichmentScope } from './draft.js';
import type { Effect } from './effect.js';

/** The id of a scope, and the effects of the event. */
export interface ResolvedScope {
  readonly id: string;
  readonly effects: Effect[];
}

/** The ids that refer to the same scope of enrichments. */
export class ScopeTable {
  readonly #aliases = new Map<string, string>();
  readonly #byKey = new Map<string, string>();

  /** Finds the scope of an enrichment; undefined if it names none. Changes nothing. */
  resolve(scope: EnrichmentScope): ResolvedScope | undefined {
    const rawId = readCleanText(scope.id);
    const name = readCleanText(scope.name) ?? null;
    const type = readCleanText(scope.type) ?? null;
    if (rawId === undefined && name === null && type === null) return undefined;
    const known = rawId === undefined ? undefined : this.#aliases.get(rawId);
    if (known !== undefined) return { id: known, effects: [] };
    const named = readKey(name) ?? readKey(rawId) ?? 'unknown';
    const key = `${readKey(type) ?? 'scope'}\n${named}`;
    const id = this.#byKey.get(key) ?? rawId ?? deriveScopeId({ type, name });
    const isNew = rawId !== undefined || !this.#byKey.has(key);
    return { id, effects: isNew ? [['scope', rawId ?? null, key, id]] : [] };
  }

  apply(rawId: string | null, key: string | null, id: string): void {
    if (key !== null) remember(this.#byKey, key, id);
    if (rawId !== null) remember(this.#aliases, rawId, id);
  }

  /** Yields the effects that rebuild this table. */
  *snapshot(): Generator<Effect> {
    for (const [key, id] of this.#byKey) yield ['scope', null, key, id];
    for (const [rawId, id] of this.#aliases) yield ['scope', rawId, null, id];
  }
}
