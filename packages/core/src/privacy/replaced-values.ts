import { bareValue } from '../messages/private-data.js';
import type { NamedValue } from './private-values.js';

/** How many values that were replaced are remembered of one map; newer ones push out older ones. */
const MOST_REPLACED = 64;

const replaced = new WeakMap<object, NamedValue[]>();

/** The values by name, remembering each that is replaced or deleted: what was private a moment ago may still be told. */
export function rememberReplaced(
  values: Record<string, unknown>,
  earlier: readonly NamedValue[],
): Record<string, unknown> {
  const known: NamedValue[] = [];
  const add = (name: string, value: unknown) => {
    if (known.some((each) => each.name === name && each.value === value)) return;
    known.push({ name, value });
    if (known.length > MOST_REPLACED) known.shift();
  };
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
  return replaced.get(map) ?? [];
}
