import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonObject } from '../../json-object.js';
import { findPlaceholders } from './placeholder-places.js';

const maxProblems = 8;

/** Says that something inside did not match; the unit inside says what. */
const wrapperKeywords = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'false']);

/** What they say of a value hangs on what is inside of it. */
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
 * Regular expressions of strangers, and comparing all items with one another, can be made to run for hours, so they are
 * left to the client's own check. Plain values that nothing is checked against could hold such a schema, and be referred to.
 */
const uncheckedKeywords = new Set([
  'pattern',
  'patternProperties',
  'format',
  'uniqueItems',
  'default',
  'examples',
  // They are followed without being looked up, so nobody could count them.
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** References of a schema that are followed. Two that lead to two others each, and so on, would have no end. */
const maxReferences = 100_000;
/** For each place of a value so many more of those that were followed may be followed again. */
const referencesPerPlace = 10;

/** Keywords whose value is a map from a name to a schema, so that names there are no keywords. */
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

interface ReadSchema {
  readonly schema: Schema;
  /** What references lead to. */
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

function readSchema(given: JsonObject): ReadSchema {
  const known = readSchemas.get(given);
  if (known) return known;
  // The library's type is mutable where ours is readonly; it only reads.
  const schema = withoutUnchecked(given) as Schema;
  const read = { schema, places: dereference(schema), referencesLeft: maxReferences };
  readSchemas.set(given, read);
  return read;
}

/** The places of a schema, until they were looked up too often for the values that were checked so far. */
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

/** A value and all that stands in it, as far as it counts. */
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
 * What is wrong with a value by its JSON Schema, as sentences that name the place; none when it fits.
 * A schema that cannot be read (a reference to nowhere) finds nothing wrong: the client still checks.
 */
export function schemaProblems(schema: JsonObject, value: JsonValue): string[] {
  return tell(findErrors(schema, value));
}

/**
 * As {@link schemaProblems}, for what the client puts private values into before it checks it: what is said of a
 * placeholder, or may be otherwise with the value in its place, is no problem. A text that holds more than a placeholder
 * stays a text, and does for nothing else.
 */
export function fillableProblems(schema: JsonObject, value: JsonValue): string[] {
  const errors = findErrors(schema, value);
  return tell(errors.length === 0 ? errors : withoutOpen(errors, value));
}

function findErrors(schema: JsonObject, value: JsonValue): readonly OutputUnit[] {
  try {
    const read = readSchema(schema);
    return validate(value, read.schema, '2020-12', placesFor(value, read), false).errors;
  } catch {
    // A dangling or endless reference of a foreign schema is no fault of the value.
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
  // A text with a placeholder in it stays a text; where there is a choice, it may be one that fits.
  const isFilled = ({ keyword, instanceLocation: place }: OutputUnit) =>
    at.has(place) && !(keyword === 'type' && within.has(place) && !chosen.has(place));
  const choices = new Set(
    errors.filter(isOpen).map(({ keywordLocation }) => keywordLocation.replace(/\/if$/, '')),
  );
  const isInChoice = ({ keywordLocation }: OutputUnit) =>
    [...choices].some((place) => `${keywordLocation}/`.startsWith(`${place}/`));
  return errors.filter((unit, index) => {
    // The unit after it says what is wrong with a further property, but where there may be none.
    const isWrapper = unit.keyword === 'additionalProperties' && errors[index + 1]?.keyword !== 'false';
    return !isWrapper && !isFilled(unit) && !isInChoice(unit);
  });
}

function tell(errors: readonly OutputUnit[]): string[] {
  const telling = errors.filter((unit) => !wrapperKeywords.has(unit.keyword));
  const messages = telling.map((unit) => `${pathOf(unit.instanceLocation)}: ${unit.error}`);
  return [...new Set(messages)].slice(0, maxProblems);
}
