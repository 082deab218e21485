import { DEEPEST_LEVEL } from './scrub-json.js';

/** Returns the placeholder for the private value of this name: `{_{name}_}`. */
export function placeholder(name: string): string {
  return `{_{${name}}_}`;
}

const either = /\{_\{(?<key>[^{}]{1,256})\}_\}|\{_(?<bare>[^{}]{1,256}?)_\}/g;
const whole = new RegExp(`^(?:${either.source})$`);

/**
 * Replaces placeholders with their values at any depth of a JSON value. A string that is exactly one placeholder becomes
 * the value itself; inside a longer string the value becomes text. Both `{_{name}_}` and the older `{_name_}` are read.
 * Placeholders for which `lookup` returns `null` or `undefined`, object keys, and data deeper than 256 levels stay as
 * they are. The input is never changed.
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

/** Returns the positions and names of the placeholders in a text. */
export function findPlaceholders(text: string): { start: number; end: number; name: string }[] {
  if (!text.includes('{_')) return [];
  return Array.from(text.matchAll(either), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    name: nameIn(found) ?? '',
  }));
}
