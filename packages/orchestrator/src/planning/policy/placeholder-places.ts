import { encodePointer } from '@cfworker/json-schema';
import type { JsonValue } from '@svc/contracts';
import { resolvePlaceholders } from '@svc/redaction';

/** Placeholders that lie deeper are not filled either. */
const deepestLevel = 256;

/** Whether a placeholder of a private value stands in a text. */
export function holdsPlaceholder(text: string): boolean {
  return resolvePlaceholders(text, () => '') !== text;
}

/** Places of a JSON value, as pointers such as `#/items/0`. */
export interface PlaceholderPlaces {
  /** Where a text holds a placeholder. */
  readonly at: ReadonlySet<string>;
  /** Those of them where it stands among other characters, so that what it is filled with stays a text. */
  readonly within: ReadonlySet<string>;
  /** What such a text lies in. */
  readonly above: ReadonlySet<string>;
}

/** Where placeholders of private values stand. */
export function findPlaceholders(value: JsonValue): PlaceholderPlaces {
  const at = new Set<string>();
  const within = new Set<string>();
  const above = new Set<string>();
  const visit = (inner: JsonValue, place: string, depth: number): boolean => {
    if (typeof inner === 'string') {
      if (!holdsPlaceholder(inner)) return false;
      at.add(place);
      // What is one placeholder and nothing else becomes the value as it is.
      if (typeof resolvePlaceholders(inner, () => 0) === 'string') within.add(place);
      return true;
    }
    if (typeof inner !== 'object' || inner === null || depth >= deepestLevel) return false;
    const found = Object.entries(inner).map(([key, each]) =>
      visit(each, `${place}/${encodePointer(key)}`, depth + 1),
    );
    if (!found.includes(true)) return false;
    above.add(place);
    return true;
  };
  visit(value, '#', 0);
  return { at, within, above };
}
