import type { PrivateDataField } from '@svc/contracts/orchestrator';
import { inspect } from 'node:util';
import { resolvePlaceholders } from '@svc/redaction';
import { ConfigurationError } from '../config/errors.js';
import { invalidOption } from '../config/options.js';
import { isArrayOf } from '../is-array-of.js';
import { isRecord } from '../is-record.js';
import { bareValue, PrivateData } from '../messages/private-data.js';
import { present } from '../present.js';
import { KnownNumber } from './known-number.js';
import type { NamedValue } from './private-values.js';
import { readHidable } from './read-hidable.js';
import { listReplaced, rememberReplaced } from './replaced-values.js';

/** Private values by name, or an array of {@link PrivateData}. */
export type PrivateDataInput = Readonly<Record<string, unknown>> | readonly PrivateData[];

/** Private values by name. Printing or serializing it shows only the names. */
export type PrivateDataMap = Record<string, unknown>;

/**
 * Creates a map of private values; unnamed ones become `_private_1` and so on. A duplicate name is an error. The map
 * remembers values that are replaced in it, and those of the map that it comes `after`.
 */
export function createPrivateDataMap(
  input?: PrivateDataInput | null,
  after: PrivateDataMap = {},
): PrivateDataMap {
  const map: PrivateDataMap = {};
  const names = () => Object.getOwnPropertyNames(map).filter((name) => name !== 'toJSON');
  Object.defineProperty(map, inspect.custom, { value: () => `{ ${names().join(', ')}: [hidden] }` });
  Object.defineProperty(map, 'toJSON', {
    value: () => Object.fromEntries(names().map((name) => [name, '[hidden]'])),
  });
  for (const [name, read] of entriesOf(input ?? {})) {
    if (name.trim() === '')
      throw invalidPrivateData('must not contain a value with a blank name, by which no tool can request it');
    if (name === 'toJSON')
      throw invalidPrivateData(
        "must not contain a value named 'toJSON', because that method hides the values in JSON",
      );
    if (Object.hasOwn(map, name)) {
      throw new ConfigurationError(`privateData has two values named '${name}'.`, {
        code: 'CONFIG_DUPLICATE_PRIVATE_DATA',
        details: { name },
      });
    }
    const value = readHidable(name, read);
    Object.defineProperty(map, name, { value, configurable: true, writable: true });
  }
  return rememberReplaced(map, [...listReplaced(after), ...listCurrent(after)]);
}

/** Merges maps; if several have the same name, the last one's value counts. */
export function mergePrivateData(maps: readonly PrivateDataMap[]): PrivateDataMap {
  return createPrivateDataMap(Object.fromEntries(maps.flatMap((map) => Object.entries(map))));
}

function entriesOf(input: PrivateDataInput): readonly (readonly [string, () => unknown])[] {
  if (!isList(input)) {
    // The values in anything else, such as a `Map`, would not be hidden.
    if (isRecord(input) && !(Symbol.iterator in input))
      return Object.keys(input).map((name) => [name, () => input[name]]);
    throw invalidPrivateData();
  }
  if (!isArrayOf(input, (item) => item instanceof PrivateData)) throw invalidPrivateData();
  let unnamed = 0;
  return input.map((item) => [item.name ?? `_private_${(unnamed += 1)}`, () => item]);
}

function isList(input: PrivateDataInput): input is readonly PrivateData[] {
  return Array.isArray(input);
}

function invalidPrivateData(
  why = 'must be an object of values by name, or an array of PrivateData',
): ConfigurationError {
  return invalidOption('privateData', why, ['privateData']);
}

/** A private value, and an alternative text for consumers that do not accept it. */
export interface ReadValue {
  readonly value: unknown;
  readonly text?: string;
}

/** Returns the bare value with a name, if there is one. */
export function readPrivateValue(map: PrivateDataMap, name: string): ReadValue | undefined {
  if (!Object.hasOwn(map, name)) return undefined;
  const current = map[name];
  return current instanceof KnownNumber
    ? { value: current.value, text: current.text }
    : { value: bareValue(current) };
}

/** Replaces the placeholders of a map's values in JSON data with the values; other placeholders stay. */
export type RestoreValues = (json: unknown) => unknown;

/** Returns the ways to restore values, the best one first: known numbers as numbers, then as texts. */
export function listRestorers(map: PrivateDataMap): readonly [RestoreValues, ...RestoreValues[]] {
  const values = Object.values(map);
  if (values.length === 0) return [(json) => json];
  const restore: RestoreValues = (json) =>
    resolvePlaceholders(json, (name) => readPrivateValue(map, name)?.value);
  if (!values.some((value) => value instanceof KnownNumber)) return [restore];
  const readText = (found: ReadValue | undefined) => found?.text ?? found?.value;
  return [restore, (json) => resolvePlaceholders(json, (name) => readText(readPrivateValue(map, name)))];
}

/**
 * Returns every bare value with its name, followed by replaced values: if a value occurs twice, its current name
 * counts.
 */
export function listPrivateValues(map: PrivateDataMap): NamedValue[] {
  return [...listCurrent(map), ...listReplaced(map)];
}

function listCurrent(map: PrivateDataMap): NamedValue[] {
  return Object.entries(map).map(([name, value]) => ({ name, value: bareValue(value) }));
}

/** Describes the values by their names and descriptions, without the values. */
export function describePrivateData(map: PrivateDataMap): PrivateDataField[] {
  return Object.entries(map).map(([name, value]) => {
    if (!(value instanceof PrivateData)) return { data_key: name };
    const { piiType, label, description, format } = value;
    return present({ data_key: name, pii_type: piiType, label, description, format });
  });
}
