import type { JsonObject, JsonValue } from '@svc/contracts';

/** The maximum number of schemas that are visited to follow all references; a schema that needs more is not used. */
const MOST_STEPS = 10_000;

/** Keywords whose fields are names, not keywords. */
export const HOLDERS: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that contain plain values. */
export const VALUES: ReadonlySet<string> = new Set(['const', 'enum']);

/** Keywords whose schemas apply only where something refers to them. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** A path from a value to a nested one: names of fields, each after a dot, and wildcards for any field or array item. */
type Way = readonly string[];

const ANY_FIELD = '*';
const ANY_ITEM = '[]';

/** Keywords that apply to nested values, but not to one with a certain name. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['items', ANY_ITEM],
  ['prefixItems', ANY_ITEM],
  ['additionalItems', ANY_ITEM],
  ['unevaluatedItems', ANY_ITEM],
  ['contains', ANY_ITEM],
  ['additionalProperties', ANY_FIELD],
  ['unevaluatedProperties', ANY_FIELD],
  ['propertyNames', ANY_FIELD],
]);

/** The maximum number of compared path steps; a schema that needs more is not used. */
const MOST_COMPARED = 1_000_000;

/** A schema that is being followed, the depth at which that began, and the paths that led back to it. */
interface Followed {
  readonly schema: JsonValue;
  readonly depth: number;
  readonly returns: Way[];
}

/**
 * Whether validation with a schema and its references takes bounded time. Definitions that each refer to the next one twice
 * double the work each time; one that refers to itself twice doubles it with each level of a value, unless the references
 * are for fields with different names, as in a tree.
 */
export function hasBoundedReferences(root: JsonObject): boolean {
  const followed: Followed[] = [{ schema: root, depth: 0, returns: [] }];
  let steps = 0;
  let compared = 0;

  const isBounded = (value: JsonValue, way: Way): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    steps += 1;
    if (steps > MOST_STEPS) return false;
    if (isList(value)) return value.every((item) => isBounded(item, way));
    const checked = Object.entries(value).filter(([key]) => !VALUES.has(key) && !DEFINITIONS.has(key));
    return checked.every(([key, inner]) => areBounded(key, inner, way)) && leads(value['$ref'], way);
  };

  const areBounded = (key: string, inner: JsonValue, way: Way): boolean => {
    const step = INSIDE.get(key);
    if (!HOLDERS.has(key)) return isBounded(inner, step === undefined ? way : [...way, step]);
    if (typeof inner !== 'object' || inner === null) return true;
    const named = key === 'properties' ? (name: string) => [...way, `.${name}`] : () => way;
    return Object.entries(inner).every(([name, schema]) => isBounded(schema, named(name)));
  };

  const leads = (reference: JsonValue | undefined, way: Way): boolean => {
    if (typeof reference !== 'string') return true;
    const schema = find(root, reference);
    const known = followed.findLastIndex((each) => each.schema === schema);
    const inside = known < 0 ? [] : followed.slice(known);
    // A reference back to the same schema for the same value never ends.
    if (inside[0]?.depth === way.length) return false;
    if (inside.length > 0) return inside.every((each) => comesBack(each, way.slice(each.depth)));
    followed.push({ schema, depth: way.length, returns: [] });
    const bounded = isBounded(schema, way);
    followed.pop();
    return bounded;
  };

  /** Adds a path back; false if it leads to a value that another path leads to as well. */
  const comesBack = ({ returns }: Followed, way: Way): boolean => {
    compared += way.length;
    if (returns.some((each) => compared > MOST_COMPARED || meet(each, way))) return false;
    returns.push(way);
    return true;
  };

  /** Whether one path may be a prefix of the other. */
  const meet = (one: Way, other: Way): boolean =>
    one.every((step, index) => {
      compared += 1;
      const second = other[index];
      return second === undefined || areOne(step, second);
    });

  return isBounded(root, []);
}

/** Whether two steps may lead to the same value; no value has both fields and items. */
function areOne(one: string, other: string): boolean {
  if (one === other) return true;
  return one === ANY_FIELD ? other !== ANY_ITEM : other === ANY_FIELD && one !== ANY_ITEM;
}

/** Resolves a reference within a schema; null if it leads nowhere. */
function find(root: JsonObject, reference: string): JsonValue {
  let found: JsonValue = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
    found = (found as JsonObject)[key] ?? null;
  }
  return found;
}

/** Whether a JSON value is an array. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
