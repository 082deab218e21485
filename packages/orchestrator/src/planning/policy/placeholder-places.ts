import { encodePointer } from '@cfworker/json-schema';
import type { JsonValue } from '@svc/contracts';
import { resolvePlaceholders } from '@svc/redaction';

/** Deeper placeholders are not filled either. */
const maxDepth = 256;

/** Whether a text contains a placeholder of a private value. */
export function containsPlaceholder(text: string): boolean {
  return resolvePlaceholders(text, () => '') !== text;
}

/** Places of a JSON value, as pointers such as `#/items/0`. */
export interface PlaceholderPlaces {
  /** Strings that contain a placeholder. */
  readonly at: ReadonlySet<string>;
  /** Those with other characters around the placeholder, so that they stay strings when filled. */
  readonly within: ReadonlySet<string>;
  /** The containers of such strings. */
  readonly above: ReadonlySet<string>;
}

/** Finds placeholders of private values. */
export function findPlaceholders(value: JsonValue): PlaceholderPlaces {
  const at = new Set<string>();
  const within = new Set<string>();
  const above = new Set<string>();
  const visit = (inner: JsonValue, place: string, depth: number): boolean => {
    if (typeof inner === 'string') {
      if (!containsPlaceholder(inner)) return false;
      at.add(place);
      // A string that is just one placeholder becomes the value itself, of any type.
      if (typeof resolvePlaceholders(inner, () => 0) === 'string') within.add(place);
      return true;
    }
    if (typeof inner !== 'object' || inner === null || depth >= maxDepth) return false;
    const found = Object.entries(inner).map(([key, each]) =>
      // Half of an emoji cannot be encoded. The place of such a key has no problems to look up.
      visit(each, `${place}/${encodePointer(key.toWellFormed())}`, depth + 1),
    );
    if (!found.includes(true)) return false;
    above.add(place);
    return true;
  };
  visit(value, '#', 0);
  return { at, within, above };
}
