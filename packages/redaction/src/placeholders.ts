import { DEEPEST_LEVEL } from './scrub-json.js';

/** What stands in a text for the private value of this name: `{_{name}_}`. */
export function placeholder(name: string): string {
  return `{_{${name}}_}`;
}

const either = /\{_\{(?<key>[^{}]{1,256})\}_\}|\{_(?<bare>[^{}]{1,256}?)_\}/g;
const whole = new RegExp(`^(?:${either.source})$`);

/**
 * Puts values back where their placeholders stand, in a JSON value at any depth. A string that is one placeholder
 * becomes the value as it is; inside a longer text a value stands as text. `{_{name}_}` and the older `{_name_}` are
 * read; a placeholder whose name `lookup` does not know stays, as do keys and what lies deeper than 256 levels. What is
 * given is never changed.
 */
export function resolvePlaceholders(value: unknown, lookup: (name: string) => unknown): unknown {
  return resolveAt(0, value, lookup);
}

function resolveAt(depth: number, value: unknown, lookup: (name: string) => unknown): unknown {
  if (typeof value === 'string') return resolveText(value, lookup);
  if (typeof value !== 'object' || value === null || depth >= DEEPEST_LEVEL) return value;
  if (Array.isArray(value)) return value.map((item) => resolveAt(depth + 1, item, lookup));
  const entries = Object.entries(value).map(([key, item]) => [key, resolveAt(depth + 1, item, lookup)]);
  return Object.fromEntries(entries);
}

function resolveText(text: string, lookup: (name: string) => unknown): unknown {
  if (!text.includes('{_')) return text;
  const name = nameIn(whole.exec(text));
  if (name !== undefined) return lookup(name) ?? text;
  return text.replace(either, (found, key?: string, bare?: string) => {
    const value = lookup(key ?? bare ?? '');
    if (value === undefined || value === null) return found;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function nameIn(match: RegExpExecArray | null): string | undefined {
  return match?.groups?.['key'] ?? match?.groups?.['bare'];
}

/** The places of a text where placeholders stand, and what they name. */
export function findPlaceholders(text: string): { start: number; end: number; name: string }[] {
  if (!text.includes('{_')) return [];
  return Array.from(text.matchAll(either), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    name: nameIn(found) ?? '',
  }));
}
