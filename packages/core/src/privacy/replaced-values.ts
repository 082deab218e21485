import { bareValue } from '../messages/private-data.js';
import { putLatest } from '../put-latest.js';
import type { NamedValue } from './private-values.js';
import { checkHidable } from './read-hidable.js';

/** How many values that were replaced are remembered of one map; newer ones push out older ones. */
const MOST_REPLACED = 64;

/** Names by value. */
const replaced = new WeakMap<object, ReadonlyMap<unknown, string>>();

/** The values by name, remembering each that is replaced or deleted: what was private a moment ago may still be told. */
export function rememberReplaced(
  values: Record<string, unknown>,
  earlier: readonly NamedValue[],
): Record<string, unknown> {
  const known = new Map<unknown, string>();
  const add = (name: string, value: unknown) => putLatest(known, [value, name], MOST_REPLACED);
  const remember = (target: Record<string, unknown>, name: string | symbol, next?: unknown) => {
    if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return;
    const value = bareValue(target[name]);
    if (value !== bareValue(next)) add(name, value);
  };
  for (const { name, value } of earlier) {
    const isHeld = Object.hasOwn(values, name) && bareValue(values[name]) === value;
    if (!isHeld) add(name, value);
  }
  const map = new Proxy(values, {
    defineProperty(target, name, descriptor) {
      if (typeof name === 'string') checkHidable(name, descriptor);
      remember(target, name, descriptor.value);
      return Reflect.defineProperty(target, name, descriptor);
    },
    deleteProperty(target, name) {
      remember(target, name);
      return Reflect.deleteProperty(target, name);
    },
  });
  replaced.set(map, known);
  return map;
}

/** What was replaced in such a map, oldest first. */
export function listReplaced(map: object): readonly NamedValue[] {
  return Array.from(replaced.get(map) ?? [], ([value, name]) => ({ name, value }));
}
