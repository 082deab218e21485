import { knownTexts } from '@svc/redaction';
import { invalidOption } from '../config/options.js';
import { bareValue, PrivateData } from '../messages/private-data.js';

/**
 * Reads a private value. An unreadable one, and one that another `PrivateData` in it keeps to itself, could not be hidden
 * and is refused; the error does not contain what it threw.
 */
export function readHidable(name: string, read: () => unknown): unknown {
  let problem = 'reading it, or something in it, throws';
  try {
    const value = read();
    knownTexts([{ name, value: bareValue(value) }]);
    if (!holdsPrivateData(bareValue(value))) return value;
    problem =
      'there is another PrivateData in it, whose value would not be found; pass that under its own name';
  } catch {
    // What was thrown may contain the value.
  }
  throw invalidOption('privateData', `must not contain '${name}', because ${problem}`, ['privateData']);
}

function holdsPrivateData(value: unknown): boolean {
  // What is added while the set is iterated over is visited too.
  const parts = new Set<unknown>([value]);
  for (const part of parts) {
    if (part instanceof PrivateData) return true;
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    const held = part instanceof Map || part instanceof Set ? part.values() : Object.values(part);
    for (const each of held) parts.add(each);
  }
  return false;
}

/** Refuses a value that cannot be hidden: a getter, whose next value is unknown, and an unreadable value. */
export function checkHidable(name: string, { get, set, value }: PropertyDescriptor): void {
  if (get !== undefined || set !== undefined)
    throw invalidOption('privateData', `must contain plain values, got a getter or setter '${name}'`, [
      'privateData',
    ]);
  readHidable(name, () => value);
}
