import * as z from 'zod';
import { ConfigurationError } from './errors.js';

/** Options, or values by name, as they are; what is no object is refused. */
export function requireOptions<Options extends object>(options: Options, owner: string): Options {
  const given: unknown = options;
  if (typeof given === 'object' && given !== null) return options;
  throw invalidOption(owner, `takes an object, not ${given === null ? 'null' : typeof given}`);
}

/** Options without those that are `null`, which is as if they were absent. */
export function withoutNulls(options: unknown): unknown {
  const entries = Object.entries(Object(options));
  if (Array.isArray(options) || entries.every(([, value]) => value !== null)) return options;
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** The shape of a schema that takes these options: a schema for each of them, and for nothing else. */
export type ShapeOf<Options> = { [Name in keyof Required<Options>]: z.ZodType<unknown, Options[Name]> };

/** Options as their schema makes them; those that do not fit are named, with the rules they break. */
export function checkOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  owner: string,
): z.output<Schema> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`The options of ${owner} are not valid:\n${z.prettifyError(parsed.error)}`, {
    code: 'CONFIG_INVALID_OPTION',
    details: { options: parsed.error.issues.map((issue) => issue.path.join('.') || 'unknown') },
  });
}

/** Refuses options that do not exist, so that a typo does not pass in silence. */
export function refuseUnknownOptions(options: object, known: readonly string[], owner: string): void {
  const unknown = Object.keys(requireOptions(options, owner)).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new ConfigurationError(
    `${owner} does not know the option ${unknown.map((key) => `'${key}'`).join(', ')}. Known are ${known.join(', ')}.`,
    { code: 'CONFIG_UNKNOWN_OPTION', details: { unknown } },
  );
}

/** An option that has to be text where it is given; the value itself stays out of the error. */
export function parseText(value: string | undefined, option: string, owner: string): string | undefined {
  const given: unknown = value ?? undefined;
  if (given === undefined || typeof given === 'string') return given;
  throw invalidOption(owner, `takes a text as ${option}, not ${typeof given}`, [option]);
}

/** An option that has to be true or false where it is given; without it, false. */
export function parseFlag(value: boolean | undefined, option: string, owner: string): boolean {
  const given: unknown = value ?? false;
  if (typeof given === 'boolean') return given;
  throw invalidOption(owner, `takes true or false as ${option}, not ${typeof given}`, [option]);
}

/** An option that has to be a list where it is given; without it, an empty one. */
export function parseList<Item>(
  value: readonly Item[] | undefined,
  option: string,
  owner: string,
): readonly Item[] {
  const list = value ?? [];
  if (Array.isArray(list)) return list;
  throw invalidOption(owner, `takes a list as ${option}, not ${typeof list}`, [option]);
}

/** Whether an object has these functions, as a port of the caller's own must. */
export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** A positive number of milliseconds, or a configuration error naming the option. */
export function parseDuration(value: number, origin: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new ConfigurationError(`${origin} must be a positive number of milliseconds.`, {
    code: 'CONFIG_INVALID_DURATION',
    details: { origin },
  });
}

/** An option has a value that it cannot have. */
export function invalidOption(
  owner: string,
  why: string,
  options: readonly string[] = [],
): ConfigurationError {
  return new ConfigurationError(`${owner} ${why}.`, { code: 'CONFIG_INVALID_OPTION', details: { options } });
}
