import * as z from 'zod';
import { ConfigurationError } from './errors.js';

/**
 * Returns the options, or values by name, unchanged; refuses anything but an object. What is in a `Map` or an array would
 * have no effect.
 */
export function requireOptions<Options extends object>(options: Options, owner: string): Options {
  if (typeof options === 'object' && options !== null && !(Symbol.iterator in options)) return options;
  throw invalidOption(owner, `expects an object, got ${kindOf(options)}`);
}

/** The type of a value, for an error message. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string' && value.trim() === '') return 'blank string';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map || value instanceof Set ? value.constructor.name : typeof value;
}

/** Returns the options without those that are `null`, which counts as absent. */
export function withoutNulls(options: unknown): unknown {
  const entries = Object.entries(Object(options));
  if (Array.isArray(options) || entries.every(([, value]) => value !== null)) return options;
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** The shape of a strict schema for these options: one schema for each of them. */
export type ShapeOf<Options> = { [Name in keyof Required<Options>]: z.ZodType<unknown, Options[Name]> };

/**
 * Returns the options as their schema parses them; the error names the invalid ones and the rules they break. `others` are
 * options that its owner checks itself, so that the error for an unknown one lists them too.
 */
export function checkOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  owner: string,
  others: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(options, {
    error: (issue) => listKnownOptions(issue, issue.inst === schema ? others : []),
  });
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`Invalid options for ${owner}:\n${z.prettifyError(parsed.error)}`, {
    code: 'CONFIG_INVALID_OPTION',
    details: { options: parsed.error.issues.flatMap(optionsOf) },
  });
}

/** The names of the options that an issue is about. */
function optionsOf(issue: z.core.$ZodIssue): readonly string[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const unknown = keys.map((key) => [...issue.path, key]);
  const paths = unknown.length > 0 ? unknown : [issue.path];
  return paths.filter((path) => path.length > 0).map((path) => path.join('.'));
}

/** The message of a schema for an unknown option; undefined for other issues, whose message is Zod's. */
export function listKnownOptions(
  { code, keys, inst }: z.core.$ZodRawIssue,
  others: readonly string[] = [],
): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return undefined;
  return `Unknown ${listOptions(keys, [...others, ...Object.keys(inst.shape)])}`;
}

function listOptions(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.map((name) => `'${name}'`).join(', ');
  return `option${unknown.length > 1 ? 's' : ''} ${names}. Known options: ${known.join(', ')}`;
}

/** Refuses unknown options, so that a typo is noticed. */
export function refuseUnknownOptions(options: object, known: readonly string[], owner: string): void {
  const unknown = Object.keys(requireOptions(options, owner)).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new ConfigurationError(`${owner}: unknown ${listOptions(unknown, known)}.`, {
    code: 'CONFIG_UNKNOWN_OPTION',
    details: { unknown },
  });
}

/** Parses an optional string; the value itself stays out of the error. */
export function parseText(value: string | undefined, option: string, owner: string): string | undefined {
  const text: unknown = value ?? undefined;
  if (text === undefined || typeof text === 'string') return text;
  throw invalidValue(owner, option, 'a string', value);
}

/** Parses an optional boolean; it defaults to false. */
export function parseFlag(value: boolean | undefined, option: string, owner: string): boolean {
  const flag: unknown = value ?? false;
  if (typeof flag === 'boolean') return flag;
  throw invalidValue(owner, option, 'a boolean', value);
}

/** Parses an optional array; it defaults to an empty one. */
export function parseList<Item>(
  value: readonly Item[] | undefined,
  option: string,
  owner: string,
): readonly Item[] {
  const list = value ?? [];
  // A hole in a copy is an `undefined`, which is checked like any other item.
  if (Array.isArray(list)) return [...list];
  throw invalidValue(owner, option, 'an array', value);
}

/** Parses an integer of at least 1. */
export function parseCount(value: number, option: string, owner: string): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw invalidOption(`${owner}:`, `${option} must be an integer of at least 1, got ${String(value)}`, [
    option,
  ]);
}

/** Whether a value is an object with these functions. */
export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Parses a positive number of milliseconds; the error names the option. */
export function parseDuration(value: number, origin: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw invalidDuration(origin, typeof value === 'number' ? String(value) : kindOf(value));
}

/** Parses an environment variable as {@link parseDuration} does a number. It may be a misplaced secret: never quoted. */
export function parseDurationText(text: string, origin: string): number {
  const value = Number(text);
  if (Number.isNaN(value)) throw invalidDuration(origin, 'a string that is not a number');
  return parseDuration(value, origin);
}

function invalidDuration(origin: string, got: string): ConfigurationError {
  return new ConfigurationError(`${origin} must be a positive number of milliseconds, got ${got}.`, {
    code: 'CONFIG_INVALID_DURATION',
    details: { origin },
  });
}

/** Creates the error for an option with an invalid value; its message names the type of the value only. */
export function invalidValue(
  owner: string,
  option: string,
  expected: string,
  value: unknown,
): ConfigurationError {
  return invalidOption(`${owner}:`, `${option} must be ${expected}, got ${kindOf(value)}`, [option]);
}

/** Creates the error for invalid options. */
export function invalidOption(
  owner: string,
  why: string,
  options: readonly string[] = [],
): ConfigurationError {
  return new ConfigurationError(`${owner} ${why}.`, { code: 'CONFIG_INVALID_OPTION', details: { options } });
}
