import { bareValue } from '../messages/private-data.js';
import { putLatest } from '../put-latest.js';
import type { NamedValue } from './private-values.js';
import { checkHidable } from './read-hidable.js';

/** How many replaced values of a map are remembered; the oldest are dropped. */
const MAX_REPLACED = 64;

/** Names by value. */
const replaced = new WeakMap<object, ReadonlyMap<unknown, string>>();

/**
 * Wraps values by name so that each replaced or deleted one is remembered: it may still occur somewhere. Only the wrapper
 * says that they are enumerable, because `console.dir` and assertions print what is wrapped.
 */
export function rememberReplaced(
  values: Record<string, unknown>,
  earlier: readonly NamedValue[],
): Record<string, unknown> {
  const known = new Map<unknown, string>();
  const add = (name: string, value: unknown) => putLatest(known, [value, name], MAX_REPLACED);
  const remember = (target: Record<string, unknown>, name: string | symbol, next?: unknown) => {
    if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return;
    const value = bareValue(target[name]);
    if (value !== bareValue(next)) add(name, value);
  };
  for (const { name, value } of earlier) {
    const isCurrent = Object.hasOwn(values, name) && bareValue(values[name]) === value;
    if (!isCurrent) add(name, value);
  }
  const map = new Proxy(values, {
    defineProperty(target, name, descriptor) {
      if (typeof name === 'string') checkHidable(name, descriptor);
      remember(target, name, descriptor.value);
      const known = Reflect.getOwnPropertyDescriptor(target, name);
      // A property that can no longer be changed, as in a frozen object, must be what the wrapper says that it is.
      const enumerable = known?.configurable === false ? known.enumerable : descriptor.configurable === false;
      return Reflect.defineProperty(target, name, { ...descriptor, enumerable: enumerable ?? false });
    },
    getOwnPropertyDescriptor(target, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
      return descriptor?.configurable ? { ...descriptor, enumerable: true } : descriptor;
    },
    deleteProperty(target, name) {
      remember(target, name);
      return Reflect.deleteProperty(target, name);
    },
  });
  replaced.set(map, known);
  return map;
}

/** Returns the replaced values of such a map, oldest first. */
export function listReplaced(map: object): readonly NamedValue[] {
  return Array.from(replaced.get(map) ?? [], ([value, name]) => ({ name, value }));
}
