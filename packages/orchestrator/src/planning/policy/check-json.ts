import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject } from '../../json-object.js';
import { findPlaceholders } from './placeholder-places.js';

const maxProblems = 8;

/** Keywords that only report that something inside failed; the inner error says what. */
const wrapperKeywords = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'false']);

/** Keywords whose verdict depends on what is inside the value. */
const choiceKeywords = new Set([
  'anyOf',
  'oneOf',
  'not',
  'if',
  'const',
  'enum',
  'contains',
  'minContains',
  'maxContains',
  'dependencies',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/**
 * Untrusted regular expressions, and comparing all items with each other, can be made to run for hours, so they are
 * left to the client's own check. `default` and `examples` are removed too: a reference could lead to such a schema
 * inside them.
 */
const uncheckedKeywords = new Set([
  'pattern',
  'patternProperties',
  'format',
  'uniqueItems',
  'default',
  'examples',
  // These are followed without a lookup, so they cannot be counted.
  '$recursiveRef',
  '$recursiveAnchor',
]);

/**
 * The maximum number of references followed. Without it, two that each lead to two others, and so on, would never end.
 */
const maxReferences = 100_000;
/** Each place of a value allows this many further references. */
const referencesPerPlace = 10;

/** Keywords whose value maps names to schemas, so names in it are not keywords. */
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

interface ReadSchema {
  readonly schema: Schema;
  /** The targets of references. */
  readonly places: Record<string, Schema | boolean>;
  referencesLeft: number;
}

const readSchemas = new WeakMap<JsonObject, ReadSchema>();

function withoutUnchecked(value: JsonValue, isMap = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutUnchecked(item));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isMap || !uncheckedKeywords.has(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      !isMap && (key === 'enum' || key === 'const')
        ? inner
        : withoutUnchecked(inner, !isMap && schemaMaps.has(key)),
    ]),
  );
}

function readSchema(original: JsonObject): ReadSchema {
  const known = readSchemas.get(original);
  if (known) return known;
  // The library's type is mutable where ours is readonly, but the library only reads.
  const schema = withoutUnchecked(original) as Schema;
  const read = { schema, places: dereference(schema), referencesLeft: maxReferences };
  readSchemas.set(original, read);
  return read;
}

/** The targets of references, until they have been looked up too often for the values checked so far. */
function placesFor(value: JsonValue, read: ReadSchema): ReadSchema['places'] {
  const more = referencesPerPlace * countPlaces(value);
  read.referencesLeft = Math.min(maxReferences, Math.max(0, read.referencesLeft) + more);
  return new Proxy(read.places, {
    get(target, name) {
      read.referencesLeft -= 1;
      if (read.referencesLeft < 0) throw new RangeError(`More than ${maxReferences} references.`);
      return Reflect.get(target, name);
    },
  });
}

/** The number of places in a value, as far as it matters for the limit. */
function countPlaces(value: JsonValue): number {
  const open: JsonValue[] = [value];
  let count = 0;
  for (
    let next = open.pop();
    next !== undefined && count * referencesPerPlace < maxReferences;
    next = open.pop()
  ) {
    count += 1;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return count;
}

const pathOf = (location: string) =>
  decodeURIComponent(location.replace(/^#\/?/, '')).replaceAll('/', '.') || '(root)';

/**
 * The problems of a value under its JSON Schema, as sentences that name the place. Finds none when the schema cannot be
 * read (a dangling reference): the client still checks.
 */
export function schemaProblems(schema: JsonObject, value: JsonValue): string[] {
  return formatErrors(findErrors(schema, value));
}

/**
 * Like {@link schemaProblems}, for values into which the client puts private values before its own check. Problems that
 * are about a placeholder, or may vanish once it is filled, are left out. A string with more than a placeholder stays a
 * string, so a wrong type is still reported.
 */
export function fillableProblems(schema: JsonObject, value: JsonValue): string[] {
  const errors = findErrors(schema, value);
  return formatErrors(errors.length === 0 ? errors : withoutOpen(errors, value));
}

function findErrors(schema: JsonObject, value: JsonValue): readonly OutputUnit[] {
  try {
    const read = readSchema(schema);
    return validate(value, read.schema, '2020-12', placesFor(value, read), false).errors;
  } catch {
    // A dangling or endless reference in a foreign schema is not the value's fault.
    return [];
  }
}

function withoutOpen(errors: readonly OutputUnit[], value: JsonValue): OutputUnit[] {
  const { at, within, above } = findPlaceholders(value);
  const isOpen = ({ keyword, instanceLocation }: OutputUnit) =>
    choiceKeywords.has(keyword) && above.has(instanceLocation);
  const chosen = new Set(
    errors
      .filter(({ keyword }) => choiceKeywords.has(keyword))
      .map(({ instanceLocation }) => instanceLocation),
  );
  // A string with a placeholder in it stays a string, but among alternatives one may accept it.
  const isFilled = ({ keyword, instanceLocation: place }: OutputUnit) =>
    at.has(place) && !(keyword === 'type' && within.has(place) && !chosen.has(place));
  const choices = new Set(
    errors.filter(isOpen).map(({ keywordLocation }) => keywordLocation.replace(/\/if$/, '')),
  );
  const isInChoice = ({ keywordLocation }: OutputUnit) =>
    [...choices].some((place) => `${keywordLocation}/`.startsWith(`${place}/`));
  return errors.filter((unit, index) => {
    // The next error says what is wrong with an additional property, unless none are allowed.
    const isWrapper = unit.keyword === 'additionalProperties' && errors[index + 1]?.keyword !== 'false';
    return !isWrapper && !isFilled(unit) && !isInChoice(unit);
  });
}

function formatErrors(errors: readonly OutputUnit[]): string[] {
  const specific = errors.filter((unit) => !wrapperKeywords.has(unit.keyword));
  const messages = specific.map((unit) => `${pathOf(unit.instanceLocation)}: ${unit.error}`);
  return [...new Set(messages)].slice(0, maxProblems);
}
