import { knownTexts } from '@svc/redaction';
import { invalidOption } from '../config/options.js';
import { bareValue } from '../messages/private-data.js';

/**
 * Reads a private value. An unreadable one could not be hidden and is refused; the error does not contain what it
 * threw.
 */
export function readHidable(name: string, read: () => unknown): unknown {
  try {
    const value = read();
    knownTexts([{ name, value: bareValue(value) }]);
    return value;
  } catch {
    throw invalidOption(
      'privateData',
      `must not contain '${name}', because reading it, or something in it, throws`,
      ['privateData'],
    );
  }
}

/** Refuses a value that cannot be hidden: a getter, whose next value is unknown, and an unreadable value. */
export function checkHidable(name: string, { get, set, value }: PropertyDescriptor): void {
  if (get !== undefined || set !== undefined)
    throw invalidOption('privateData', `must contain plain values, got a getter or setter '${name}'`, [
      'privateData',
    ]);
  readHidable(name, () => value);
}
