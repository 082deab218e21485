import { knownTexts } from '@svc/redaction';
import { invalidOption } from '../config/options.js';
import { bareValue } from '../messages/private-data.js';

/** Reads a private value. One that cannot be read could not be hidden, and is refused; what it threw may hold it, and stays out. */
export function readHidable(name: string, read: () => unknown): unknown {
  try {
    const value = read();
    knownTexts([{ name, value: bareValue(value) }]);
    return value;
  } catch {
    throw invalidOption('privateData', `cannot hold '${name}': reading it, or something in it, throws`, [
      'privateData',
    ]);
  }
}

/** Refuses what cannot be hidden: a getter, whose next value nobody knows, and a value that cannot be read. */
export function checkHidable(name: string, { get, set, value }: PropertyDescriptor): void {
  if (get !== undefined || set !== undefined)
    throw invalidOption('privateData', `takes values, and '${name}' is a getter or a setter`, [
      'privateData',
    ]);
  readHidable(name, () => value);
}
